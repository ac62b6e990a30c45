using Mux.Serialization;

namespace Mux.Generators.Messages.Models;

/// <summary>A nested message.</summary>
/// <param name="TypeName">As in the base.</param>
/// <param name="Codec">The class that reads and writes it.</param>
/// <param name="DisplayName">What errors call it.</param>
/// <param name="IsStruct">Whether it is a struct, which is written even if all of it is zero.</param>
/// <param name="IsGroup">Whether it is written between two tags instead of behind a length. Both are read.</param>
internal sealed record NestedModel(string TypeName, string Codec, string DisplayName, bool IsStruct, bool IsGroup) : ValueModel(TypeName)
{
    public override WireType WireType => IsGroup ? WireType.StartGroup : WireType.Bytes;

    public override string Kind => IsGroup ? "group" : "message";

    public override bool CanBeNull => !IsStruct;

    /// <summary>Whether it is written in the run of fields of the message around it.</summary>
    public bool IsWrittenInRun { get; init; }

    /// <summary>The most bytes that it takes, if it is written so and never takes 128; else 0.</summary>
    public int ShortSize { get; init; }

    /// <summary>Whether it is read by the cursor of the message around it.</summary>
    public bool IsReadInPlace { get; init; }

    /// <summary>Bytes of memory that one takes, about.</summary>
    public int Size { get; init; }
}
