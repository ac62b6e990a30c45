using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.ProtobufNet.Tests.Generated;
using ProtoBuf;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet.Tests.Differences;

/// <summary>What the documentation says of both libraries: rows of docs/contracts.md and docs/from-protobuf-net.md.</summary>
public sealed class CornerTests
{
    private static readonly IReadOnlyDictionary<string, ShapeCodec> s_codecs = MethodCodecs<ICorners>.ByName;
    private static readonly RuntimeTypeModel s_model = RuntimeTypeModel.Create();

    [Fact]
    public void The_kind_of_a_date_is_written_by_a_model_that_is_told_to_and_read_by_both()
    {
        var model = RuntimeTypeModel.Create();
        model.IncludeDateTimeKind = true;
        var corners = Empty();
        corners.Time = new DateTime(2024, 2, 29, 0, 0, 0, DateTimeKind.Utc);
        Assert.Equal("0a04088cb502" + "1800", Encode(corners));
        Assert.Equal("0a04088cb502" + "1800", Write(s_model, corners));
        Assert.Equal("0a06088cb5021801" + "1800", Write(model, corners));

        var bytes = Convert.FromHexString("0a06088cb5021801");
        Assert.Equal((corners.Time, DateTimeKind.Utc), (Decode(bytes).Time, Decode(bytes).Time!.Value.Kind));
        Assert.Equal((corners.Time, DateTimeKind.Utc), (Read(bytes).Time, Read(bytes).Time!.Value.Kind));
    }

    [Fact]
    public void Zeros_are_written_by_a_model_that_is_told_to_and_of_required_members_by_both()
    {
        var model = RuntimeTypeModel.Create();
        model.UseImplicitZeroDefaults = false;
        Assert.Equal("1800", Encode(Empty()));
        Assert.Equal("1800", Write(s_model, Empty()));
        Assert.Equal("1000" + "1800", Write(model, Empty()));
        Assert.Equal(0, Decode(Convert.FromHexString("1000" + "1800")).Number);
    }

    [Fact]
    public void Memory_without_bytes_is_written_by_both_and_a_segment_is_read_with_an_array_here()
    {
        foreach (var segments in new[] { new Segments(), new Segments { Segment = new ArraySegment<byte>([]), Memory = Array.Empty<byte>() } })
        {
            Assert.Equal("0a00" + "1200", Convert.ToHexStringLower(s_codecs["Segments"].Encode(segments)));
            Assert.Equal("0a00" + "1200", Write(s_model, segments));
        }

        var bytes = Convert.FromHexString("0a00" + "1200");
        Assert.Empty(((Segments)s_codecs["Segments"].Decode(bytes)).Segment.Array!);
        Assert.Null(((Segments)s_model.Deserialize(typeof(Segments), (ReadOnlySpan<byte>)bytes)).Segment.Array);
    }

    [Theory]
    [InlineData("32020801")]
    [InlineData("320408011200")]
    public void A_null_Uri_in_a_map_is_written_by_both_and_read_here_only(string hex)
    {
        var corners = Empty();
        corners.Links = new() { [1] = null };
        Assert.Equal("1800" + "32020801", Encode(corners));
        Assert.Equal("1800" + "32020801", Write(s_model, corners));

        var bytes = Convert.FromHexString(hex);
        Assert.Equal([new(1, null)], Decode(bytes).Links!);
        Assert.Throws<ProtoException>(() => Read(bytes));
    }

    [Fact]
    public void An_entry_of_a_map_replaces_the_one_that_an_initializer_made()
    {
        var bytes = Convert.FromHexString("3a0408011014" + "520408011014" + "5a0408011014" + "620408011014" + "6a0408011014" + "720408011014");
        Assert.Equal(ObjectFiller.Say(Read(bytes)), ObjectFiller.Say(Decode(bytes)));
        var read = Decode(bytes);
        Assert.All(
            new IEnumerable<KeyValuePair<int, int>>[] { read.Preset, read.PresetSorted, read.PresetReadOnly, read.PresetImmutable, read.PresetConcurrent, read.PresetReplaced },
            static map => Assert.Equal([new(1, 20)], map));
    }

    [Theory]
    [InlineData("420b09000000000000f03f1014")]
    [InlineData("420b09000000000000f03f100a")]
    [InlineData("4a0408011014")]
    [InlineData("4a040801100a")]
    public void A_pair_with_the_key_of_one_that_an_initializer_made_is_refused_by_both(string hex)
    {
        var bytes = Convert.FromHexString(hex);
        Assert.Throws<InvalidMessageException>(() => Decode(bytes));
        Assert.Throws<ArgumentException>(() => Read(bytes));
    }

    [Fact]
    public void A_null_among_wrapped_values_is_written_and_read_by_both_as_null()
    {
        var values = new WrappedValues
        {
            Texts = new() { [1] = "a", [2] = null, [3] = "" },
            GroupedTexts = new() { [1] = "a", [2] = null, [3] = "" },
            Bytes = new() { [1] = [1], [2] = null, [3] = [] },
            Numbers = new() { [1] = 1, [2] = null },
            Ids = new() { [1] = Guid.Empty, [2] = null },
            Days = new() { [1] = DayOfWeek.Friday, [2] = null, [3] = DayOfWeek.Sunday },
            WholeTexts = new() { [1] = "a", [2] = null },
            Pairs = new() { [1] = "a", [2] = null },
            Items = [[1], null, []],
            WholeItems = ["a", null, ""],
        };
        var bytes = s_codecs["WrappedValues"].Encode(values);
        Assert.Equal(Write(s_model, values), Convert.ToHexStringLower(bytes));
        Assert.Equal(ObjectFiller.Say(values), ObjectFiller.Say(ReadBoth(bytes)));
    }

    [Theory]
    [InlineData("0a020801")] // a wrapper that is missing in an entry
    [InlineData("0a040801" + "1200")] // and one without anything
    [InlineData("12020801" + "1a020801" + "22020801" + "2a020801" + "32020801")]
    [InlineData("12040801" + "1314" + "1a040801" + "1200" + "22040801" + "1200" + "2a040801" + "1200" + "32040801" + "1200")]
    [InlineData("3a040a020801" + "42040a020801" + "4a020801" + "52020801")]
    [InlineData("3a060a0408011200" + "4a0408011200" + "520408011200")]
    [InlineData("5a00" + "62090a00" + "0a030a01610a00")]
    public void What_is_missing_among_wrapped_values_is_read_alike_by_both(string hex) => ReadBoth(Convert.FromHexString(hex));

    private static WrappedValues ReadBoth(byte[] bytes)
    {
        var read = (WrappedValues)s_codecs["WrappedValues"].Decode(bytes);
        Assert.Equal(ObjectFiller.Say((WrappedValues)s_model.Deserialize(typeof(WrappedValues), (ReadOnlySpan<byte>)bytes)), ObjectFiller.Say(read));
        return read;
    }

    // Without the maps that are preset.
    private static Corners Empty() => new()
    {
        Preset = null!,
        PresetPairs = null!,
        PresetDisabled = null!,
        PresetSorted = null!,
        PresetReadOnly = null!,
        PresetImmutable = null!,
        PresetConcurrent = null!,
        PresetReplaced = null!,
    };

    private static string Encode(Corners corners) => Convert.ToHexStringLower(s_codecs["Corners"].Encode(corners));

    private static Corners Decode(byte[] bytes) => (Corners)s_codecs["Corners"].Decode(bytes);

    private static Corners Read(byte[] bytes) => (Corners)s_model.Deserialize(typeof(Corners), (ReadOnlySpan<byte>)bytes);

    private static string Write(RuntimeTypeModel model, object message)
    {
        using var stream = new MemoryStream();
        model.Serialize(stream, message);
        return Convert.ToHexStringLower(stream.ToArray());
    }
}
