-- Takes the tables of a sandbox's file back to what they were before there were applications.
begin;
drop index job_of; drop index sent_of; drop index answer_of;
alter table resource rename to later_resource;
create table resource (kind text, id text, json text not null, primary key (kind, id));
insert into resource select kind, id, json from later_resource order by rowid;
drop table later_resource;
alter table answer rename to later_answer;
create table answer (
  key text primary key, fingerprint text not null, expires integer not null, status integer, json text
);
insert into answer select key, fingerprint, expires, status, json from later_answer;
drop table later_answer;
alter table job drop column application;
alter table sent drop column application;
create index job_due on job (due);
commit;
