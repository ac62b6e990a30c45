using Mux.Generators.Tests.Vectors;

namespace Mux.Serialization.ProtobufNet.Tests.Recorded;

/// <summary>
/// The library that users have still does what was recorded of an earlier version of it. The codec of Mux is compared with the vectors, so both are as one.
/// </summary>
public sealed class RecordedVectorTests
{
    public static TheoryData<Vector> Written => [.. Of("roundtrip", "lossy")];

    public static TheoryData<Vector> Read => [.. Of("roundtrip", "lossy", "decode-only")];

    public static TheoryData<Vector> Refused => [.. Of("reject")];

    public static TheoryData<Vector> Kept => [.. Of("reserialize")];

    public static TheoryData<Vector> Unwritable => [.. Of("encode-reject")];

    [Theory]
    [MemberData(nameof(Written))]
    public void Protobuf_net_writes_the_recorded_bytes(Vector vector) => Assert.Equal(vector.Hex, RecordedModel.Write(vector, RecordedAssembly.Value(vector)));

    [Theory]
    [MemberData(nameof(Read))]
    public void Protobuf_net_reads_the_recorded_value(Vector vector)
    {
        var actual = RecordedModel.Read(vector);
        Assert.Null(ObjectComparer.Difference(vector.Kind == "lossy" ? RecordedAssembly.Decoded(vector) : RecordedAssembly.Value(vector), actual));
        if (vector.Reserialized is not null) Assert.Equal(vector.Reserialized, RecordedModel.Write(vector, actual));
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void Protobuf_net_refuses_bytes_that_it_refused(Vector vector) =>
        Assert.Equal(vector.Exception, Record.Exception(() => RecordedModel.Read(vector))?.GetType().ToString());

    [Theory]
    [MemberData(nameof(Kept))]
    public void Protobuf_net_writes_fields_that_it_does_not_know_as_it_wrote_them(Vector vector) =>
        Assert.Equal(vector.Reserialized, RecordedModel.Write(vector, RecordedModel.Read(vector)));

    [Theory]
    [MemberData(nameof(Unwritable))]
    public void Protobuf_net_refuses_objects_that_it_refused(Vector vector)
    {
        var value = RecordedAssembly.Value(vector);
        Assert.Equal(vector.Exception, Record.Exception(() => RecordedModel.Write(vector, value))?.GetType().ToString());
    }

    [Fact]
    public void Every_vector_is_replayed() => Assert.Equal(331, Of("roundtrip", "lossy", "decode-only", "reject", "encode-reject", "reserialize").Count());

    private static IEnumerable<Vector> Of(params string[] kinds) => Vector.All.Where(vector => kinds.Contains(vector.Kind));
}
