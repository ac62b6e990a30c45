using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A nested message.</summary>
/// <param name="TypeName">C# type of the value.</param>
/// <param name="Codec">Class that reads and writes it.</param>
/// <param name="DisplayName">Name for errors.</param>
/// <param name="IsStruct">True for a struct, which is written even if all of it is zero.</param>
/// <param name="IsGroup">True if it is written between two tags instead of after a length. Both are read.</param>
internal sealed record NestedModel(string TypeName, string Codec, string DisplayName, bool IsStruct, bool IsGroup) : ValueModel(TypeName)
{
    public override WireType WireType => IsGroup ? WireType.StartGroup : WireType.Bytes;

    public override string Kind => IsGroup ? "group" : "message";

    public override bool CanBeNull => !IsStruct;

    public override bool DependsOnLevel => IsLeveled;

    /// <summary>True for a tuple that has the level of its place.</summary>
    public bool IsLeveled { get; init; }

    /// <summary>True if it is written in the run of fields of the message around it.</summary>
    public bool IsWrittenInRun { get; init; }

    /// <summary>Maximum size if it is written in a run and always takes less than 128 bytes; otherwise 0.</summary>
    public int ShortSize { get; init; }

    /// <summary>True if it is read by the cursor of the message around it.</summary>
    public bool IsReadInPlace { get; init; }

    /// <summary>Approximate memory of a value, in bytes.</summary>
    public int Size { get; init; }
}
