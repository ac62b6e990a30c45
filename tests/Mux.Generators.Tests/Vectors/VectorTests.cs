using Mux.Generators.Tests.Driver;
using Mux.Serialization;

namespace Mux.Generators.Tests.Vectors;

/// <summary>What protobuf-net was seen to do, byte for byte.</summary>
public sealed class VectorTests
{
    public static TheoryData<Vector> Written => [.. Covered("roundtrip", "lossy")];

    public static TheoryData<Vector> Read => [.. Covered("roundtrip", "lossy", "decode-only")];

    public static TheoryData<Vector> Refused => [.. Covered("reject")];

    public static TheoryData<string> Missing => [.. MissingShapes.ByType.Keys];

    [Theory]
    [MemberData(nameof(Written))]
    public void A_value_is_written_as_protobuf_net_writes_it(Vector vector)
    {
        Assert.Equal(vector.Hex, Encode(vector, VectorAssembly.Instance.Value(vector)));
    }

    [Theory]
    [MemberData(nameof(Read))]
    public void Bytes_are_read_as_protobuf_net_reads_them(Vector vector)
    {
        var expected = vector.Kind == "lossy" ? VectorAssembly.Instance.Decoded(vector) : VectorAssembly.Instance.Value(vector);
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
    [MemberData(nameof(Missing))]
    public void A_type_that_is_not_taken_is_an_error_that_says_where(string type)
    {
        var run = GeneratorRun.Of(VectorAssembly.Sources($"ValueTask M({type} value);"));
        var (id, says) = MissingShapes.ByType[type];
        Assert.Contains(run.Diagnostics, diagnostic => diagnostic.Id == id && diagnostic.GetMessage(null).Contains(says, StringComparison.Ordinal));
    }

    [Fact]
    public void Every_vector_runs_or_belongs_to_a_type_that_is_listed_as_missing()
    {
        Assert.Equal(331, Vector.All.Count);
        Assert.Equal(["decode-only", "encode-reject", "lossy", "reject", "reserialize", "roundtrip"], Vector.All.Select(static vector => vector.Kind).Distinct().Order());
        int covered = Vector.All.Count(static vector => !MissingShapes.ByType.ContainsKey(vector.Type));
        Assert.Equal(covered, Covered("roundtrip", "lossy", "decode-only", "reject", "encode-reject").Count());
        Assert.All(MissingShapes.ByType.Keys, static type => Assert.Contains(Vector.All, vector => vector.Type == type));
    }

    private static IEnumerable<Vector> Covered(params string[] kinds)
    {
        return Vector.All.Where(vector => kinds.Contains(vector.Kind) && !MissingShapes.ByType.ContainsKey(vector.Type));
    }

    private static string Encode(Vector vector, object? value) => Convert.ToHexStringLower(VectorAssembly.Instance.CodecOf(vector).Encode(value));

    private static object? Decode(Vector vector) => VectorAssembly.Instance.CodecOf(vector).Decode(Convert.FromHexString(vector.Hex!));
}
