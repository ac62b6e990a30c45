using Mux.Serialization;

namespace Mux.Generators.Messages.Models;

/// <summary>The field of a class that holds the part of a class derived from it.</summary>
/// <param name="Number">The field number.</param>
/// <param name="Name">The name of the derived class, as errors show the field.</param>
/// <param name="TypeName">The derived class, fully qualified.</param>
/// <param name="Codec">The codec of the derived class.</param>
/// <param name="DisplayName">What errors call the derived class.</param>
/// <param name="IsGroup">Whether it is written between two tags instead of behind a length. Both are read.</param>
/// <param name="Size">Bytes of memory that an object of the derived class takes more than one of this.</param>
internal sealed record IncludeModel(int Number, string Name, string TypeName, string Codec, string DisplayName, bool IsGroup, int Size)
{
    /// <summary>The tag of this field with a wire type.</summary>
    public uint TagOf(WireType wireType) => ((uint)Number << 3) | (uint)wireType;
}
