using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>Field that holds the part of a derived class.</summary>
/// <param name="Number">The field number.</param>
/// <param name="Name">The name of the derived class, as errors show the field.</param>
/// <param name="TypeName">The derived class, fully qualified.</param>
/// <param name="Codec">The codec of the derived class.</param>
/// <param name="DisplayName">Name of the derived class for errors.</param>
/// <param name="IsGroup">True if it is written between two tags instead of after a length. Both are read.</param>
/// <param name="Size">Additional memory of an object of the derived class, in bytes.</param>
internal sealed record IncludeModel(int Number, string Name, string TypeName, string Codec, string DisplayName, bool IsGroup, int Size)
{
    /// <summary>The tag of this field with a wire type.</summary>
    public uint TagOf(WireType wireType) => ((uint)Number << 3) | (uint)wireType;
}
