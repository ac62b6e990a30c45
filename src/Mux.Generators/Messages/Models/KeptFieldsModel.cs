using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>Unknown fields of a message, kept in a member of type UnknownFields. They have no tag of their own.</summary>
internal sealed record KeptFieldsModel(string TypeName) : ValueModel(TypeName)
{
    public override string Kind => "kept";

    public override WireType WireType => WireType.Bytes;
}
