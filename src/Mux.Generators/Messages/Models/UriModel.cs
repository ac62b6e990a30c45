using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A URI, written as the text that it was made from.</summary>
internal sealed record UriModel(string TypeName) : ValueModel(TypeName)
{
    public override WireType WireType => WireType.Bytes;

    public override string Kind => "text";

    public override string Comparable(string value) => value + ".OriginalString";
}
