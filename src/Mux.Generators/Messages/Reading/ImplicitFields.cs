namespace Mux.Generators.Messages.Reading;

/// <summary>The values of ProtoBuf.ImplicitFields, which is matched by its numbers.</summary>
internal enum ImplicitFields
{
    None = 0,
    AllPublic = 1,
    AllFields = 2,
}
