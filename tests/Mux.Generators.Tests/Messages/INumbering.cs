namespace Mux.Generators.Tests.Messages;

/// <summary>Reaches the messages whose members are numbered in other ways.</summary>
[MuxService("numbering")]
internal interface INumbering
{
    ValueTask<Implicit> Implicit(Implicit value);

    ValueTask<ImplicitFieldsOnly> ImplicitFieldsOnly(ImplicitFieldsOnly value);

    ValueTask<Inferred> Inferred(Inferred value);

    ValueTask<Listed> Listed(Listed value);

    ValueTask<PartlyNumbered> PartlyNumbered(PartlyNumbered value);

    ValueTask<ProtoMembersOnly> ProtoMembersOnly(ProtoMembersOnly value);

    ValueTask<Xml> Xml(Xml value);
}
