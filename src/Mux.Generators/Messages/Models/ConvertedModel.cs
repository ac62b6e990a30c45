using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A value that is written as another value, its surrogate, which is not a message.</summary>
/// <param name="TypeName">C# type of the value.</param>
/// <param name="Codec">Class that converts.</param>
/// <param name="IsStruct">True if the value is a struct.</param>
/// <param name="Surrogate">Value to write.</param>
internal sealed record ConvertedModel(string TypeName, string Codec, bool IsStruct, ValueModel Surrogate) : ValueModel(TypeName)
{
    public override string Kind => Surrogate.Kind;

    public override WireType WireType => Surrogate.WireType;

    public override bool CanBeNull => !IsStruct;

    /// <summary>Approximate memory of a value, in bytes.</summary>
    public int Size { get; init; }
}
