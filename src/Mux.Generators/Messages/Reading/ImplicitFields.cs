namespace Mux.Generators.Messages.Reading;

/// <summary>Values of ProtoBuf.ImplicitFields, matched by number.</summary>
internal enum ImplicitFields
{
    None = 0,
    AllPublic = 1,
    AllFields = 2,
}
