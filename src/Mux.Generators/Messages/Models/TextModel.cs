using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A string.</summary>
internal sealed record TextModel(string TypeName) : ValueModel(TypeName)
{
    public override WireType WireType => WireType.Bytes;

    public override string Kind => "text";

    public override string? ZeroInEntry => FollowsProtobuf ? "\"\"" : null;
}
