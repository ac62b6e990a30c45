using Mux.Serialization;

namespace Mux.Generators.Models;

/// <summary>A byte array.</summary>
internal sealed record BytesModel(string TypeName) : ValueModel(TypeName)
{
    public override WireType WireType => WireType.Bytes;
}
