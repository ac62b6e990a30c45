using Mux.Serialization;

namespace Mux.Generators.Tests.Vectors;

/// <summary>What protobuf-net was seen to do, byte for byte.</summary>
public sealed class VectorTests
{
    public static TheoryData<Vector> Written => [.. Covered("roundtrip", "lossy")];

    public static TheoryData<Vector> Read => [.. Covered("roundtrip", "lossy", "decode-only")];

    public static TheoryData<Vector> Refused => [.. Covered("reject")];

    public static TheoryData<Vector> Kept => [.. Covered("reserialize")];

    public static TheoryData<Vector> Unwritable => [.. Covered("encode-reject")];

    [Theory]
    [MemberData(nameof(Written))]
    public void A_value_is_written_as_protobuf_net_writes_it(Vector vector)
    {
        Assert.Equal(vector.Hex, Encode(vector, VectorAssembly.Of(vector).Value(vector)));
    }

    [Theory]
    [MemberData(nameof(Read))]
    public void Bytes_are_read_as_protobuf_net_reads_them(Vector vector)
    {
        var expected = vector.Kind == "lossy" ? VectorAssembly.Of(vector).Decoded(vector) : VectorAssembly.Of(vector).Value(vector);
        var actual = Decode(vector);
        Assert.Null(ObjectComparer.Difference(expected, actual));
        if (vector.Reserialized is not null) Assert.Equal(vector.Reserialized, Encode(vector, actual));
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void Bytes_that_protobuf_net_refuses_are_refused(Vector vector)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Decode(vector));
        Assert.StartsWith($"VectorContracts.{vector.Type}", exception.Message.Replace("PostalAddress", vector.Type, StringComparison.Ordinal));
        Assert.Contains("byte ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Kept))]
    public void Fields_that_are_not_known_are_written_again_as_protobuf_net_writes_them(Vector vector)
    {
        var value = Decode(vector)!;
        Assert.Equal(vector.Reserialized, Encode(vector, value));
        Assert.Equal(vector.Known, string.Join(' ', value.GetType().GetProperties().Select(property => (property.Name, Value: property.GetValue(value)))
            .Where(static member => member.Value is not (null or 0)).Select(static member => $"{member.Name}={member.Value}")));
    }

    [Theory]
    [MemberData(nameof(Unwritable))]
    public void Objects_that_protobuf_net_refuses_are_refused(Vector vector)
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Encode(vector, VectorAssembly.Of(vector).Value(vector)));
        Assert.StartsWith($"VectorContracts.{vector.Type}", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_vector_runs()
    {
        Assert.Equal(331, Vector.All.Count);
        Assert.Equal(331, Covered("roundtrip", "lossy", "decode-only", "reject", "encode-reject", "reserialize").Count());
        Assert.All(Vector.All.Where(static vector => vector.LevelFrom is not null), static vector => Assert.True((vector.LevelFrom, vector.Level) is ("model", 200) or ("modelDefault", 300), vector.Id));
    }

    private static IEnumerable<Vector> Covered(params string[] kinds)
    {
        return Vector.All.Where(vector => kinds.Contains(vector.Kind));
    }

    private static string Encode(Vector vector, object? value) => Convert.ToHexStringLower(VectorAssembly.Of(vector).CodecOf(vector).Encode(value));

    private static object? Decode(Vector vector) => VectorAssembly.Of(vector).CodecOf(vector).Decode(Convert.FromHexString(vector.Hex!));
}
