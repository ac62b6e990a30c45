using Mux.Generators.Describing;
using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>A number, a bool, a char or an enum.</summary>
/// <param name="TypeName">C# type of the value.</param>
/// <param name="Scalar">The number; for an enum, its underlying type.</param>
/// <param name="Format">Encoding.</param>
/// <param name="EnumUnderlying">Keyword of an enum's underlying type; otherwise null.</param>
internal sealed record ScalarModel(string TypeName, ScalarType Scalar, ScalarFormat Format, string? EnumUnderlying = null) : ValueModel(TypeName)
{
    /// <summary>The enum as protobuf describes it; null for a number.</summary>
    public EnumModel? Enum { get; init; }

    public override WireType WireType => FixedSize switch
    {
        4 => WireType.Fixed32,
        8 => WireType.Fixed64,
        _ => WireType.Varint,
    };

    public override string Kind => $"{Scalar} {(int)WireType}{(Format == ScalarFormat.ZigZag ? " zigzag" : string.Empty)}";

    public override bool CanBeNull => false;

    public override string? ZeroInEntry => EnumUnderlying is null || FollowsProtobuf ? Zero : null;

    // In protobuf the negative zero is a value of its own.
    public override string Comparable(string value) => (FollowsProtobuf, Scalar) switch
    {
        (true, ScalarType.Double) => $"global::System.BitConverter.DoubleToInt64Bits({value})",
        (true, ScalarType.Single) => $"global::System.BitConverter.SingleToInt32Bits({value})",
        _ => value,
    };

    /// <summary>Zero as a C# literal.</summary>
    public string Zero => Scalar switch
    {
        ScalarType.Boolean => "false",
        ScalarType.Char => "'\\0'",
        _ => "0",
    };

    /// <summary>True if a list of these may be written as one block. protobuf-net does not pack native integers.</summary>
    public bool CanBePacked => Scalar is not (ScalarType.IntPtr or ScalarType.UIntPtr);

    /// <summary>Size in bytes if all values have the same size; otherwise 0.</summary>
    public int FixedSize => Scalar switch
    {
        ScalarType.Single => 4,
        ScalarType.Double => 8,
        _ when Format != ScalarFormat.Fixed => 0,
        ScalarType.Int64 or ScalarType.UInt64 or ScalarType.IntPtr or ScalarType.UIntPtr => 8,
        _ => 4,
    };

    public override int MaxSize => (Scalar, Format) switch
    {
        _ when FixedSize != 0 => FixedSize,
        (ScalarType.Boolean, _) => 1,
        (ScalarType.Byte, _) or (ScalarType.SByte, ScalarFormat.ZigZag) => 2,
        (ScalarType.Char or ScalarType.UInt16, _) or (ScalarType.Int16, ScalarFormat.ZigZag) => 3,
        (ScalarType.UInt32, _) or (ScalarType.Int32, ScalarFormat.ZigZag) => 5,
        _ => 10,
    };

    /// <summary>True if an array of these has the same bytes in memory as in a packed block. Native integers differ on 32 bits.</summary>
    public bool IsBlittable => EnumUnderlying is null && Scalar switch
    {
        ScalarType.Single or ScalarType.Double => true,
        ScalarType.Int32 or ScalarType.UInt32 or ScalarType.Int64 or ScalarType.UInt64 => Format == ScalarFormat.Fixed,
        _ => false,
    };
}
