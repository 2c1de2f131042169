-- Run by psql once, when the server's data are made: the sandbox has a user and a database of its own.
\getenv password SANDBOX_POSTGRES_PASSWORD
create role sandbox login password :'password';
create database sandbox owner sandbox;
revoke connect on database console, sandbox from public;
