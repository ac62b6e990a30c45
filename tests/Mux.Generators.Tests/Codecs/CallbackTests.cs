using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Methods of a message that are called around writing and reading, as protobuf-net calls them.</summary>
public sealed class CallbackTests
{
    private static readonly ContractCodecs<IMenagerie> s_codecs = new();

    [Fact]
    public void Callbacks_are_called_before_and_after_writing()
    {
        var traced = new Traced { Id = 5 };
        s_codecs.Request("Traced").Encode(traced);
        Assert.Equal(["before writing 5", "after writing nothing 5"], traced.Trace);
    }

    [Fact]
    public void Callbacks_are_called_when_the_object_is_made_and_when_it_is_read()
    {
        var traced = (Traced)s_codecs.Request("Traced").Decode(Convert.FromHexString("0806"))!;
        Assert.Equal(["before reading Traced nothing 0", "after reading 6"], traced.Trace);
    }

    [Fact]
    public void Callbacks_of_the_first_base_are_called_for_derived_objects_around_the_whole()
    {
        var codec = s_codecs.Request("Traced");
        var traced = new TracedMore { Id = 5, More = 1 };
        var bytes = codec.Encode(traced);
        Assert.Equal(["before writing 5", "overridden"], traced.Trace);
        Assert.Equal(["before reading Traced nothing 0", "after reading 5"], ((Traced)codec.Decode(bytes)!).Trace);
    }

    [Fact]
    public void Callbacks_of_a_struct_change_what_is_written_and_read()
    {
        var codec = s_codecs.Request("TracedStruct");
        var traced = new TracedStruct { Id = 1 };
        Assert.Equal("0802", Convert.ToHexStringLower(codec.Encode(traced)));
        Assert.Equal(105, ((TracedStruct)codec.Decode([0x08, 0x05])!).Id);
        Assert.Equal(107, ((TracedStruct)codec.Decode([])!).Id);
    }
}
