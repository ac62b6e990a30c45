using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A byte array, or memory of bytes, which is written even if it is empty.</summary>
internal sealed record BytesModel(string TypeName, BytesForm Form = BytesForm.Array) : ValueModel(TypeName)
{
    public override WireType WireType => WireType.Bytes;

    public override string Kind => "bytes";

    public override string? ZeroInEntry => FollowsProtobuf ? "0" : null;

    public override bool CanBeNull => Form == BytesForm.Array;

    /// <summary>Its length: only empty bytes are ever omitted.</summary>
    public override string Comparable(string value) => value + ".Length";

    /// <summary>C# suffix that converts the value to a span.</summary>
    public string ToSpan => Form == BytesForm.Memory ? ".Span" : string.Empty;
}
