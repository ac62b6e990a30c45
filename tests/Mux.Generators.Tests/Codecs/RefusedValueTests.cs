#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using Mux.Generators.Tests.Messages;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Objects that protobuf has no bytes for.</summary>
public sealed class RefusedValueTests
{
    private static readonly ContractCodecs<IZoo> s_codecs = new();

    [Fact]
    public void Null_is_no_request_and_no_reply()
    {
        var request = Assert.Throws<ArgumentNullException>(() => s_codecs.Request("Link").Encode(null));
        Assert.Contains("IZoo.Link(value): null cannot be sent", request.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => s_codecs.Response("Link").Encode(null));
    }

    [Theory]
    [InlineData("Texts")]
    [InlineData("Blobs")]
    [InlineData("Leaves")]
    [InlineData("GroupedLeaves")]
    public void Null_is_no_item_of_a_list(string member)
    {
        var specimen = new Specimen();
        var property = typeof(Specimen).GetProperty(member)!;
        property.SetValue(specimen, property.PropertyType.IsArray ? Array.CreateInstance(property.PropertyType.GetElementType()!, 1) : Activator.CreateInstance(property.PropertyType));
        if (property.GetValue(specimen) is System.Collections.IList { IsFixedSize: false } list) list.Add(null);

        var exception = Assert.Throws<InvalidMessageException>(() => s_codecs.Request("Specimen").Encode(specimen));
        Assert.Contains($"Specimen.{member}: an item of the list is null", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_object_of_a_derived_type_is_no_message_of_its_base()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_codecs.Request("Link").Encode(new DerivedLink()));
        Assert.Contains(nameof(DerivedLink), exception.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidMessageException>(() => s_codecs.Request("Link").Encode(new Link { Next = new DerivedLink() }));
    }

    [Fact]
    public void A_writer_can_be_used_again_after_a_value_was_refused()
    {
        var circle = new Link();
        circle.Next = circle;
        var buffer = MessageBuffer.Rent();
        var writer = buffer.CreateWriter();
        for (int i = 0; i < 3; i++)
        {
            Assert.True(Fails(ref writer, circle));
            writer.Rewind(0);
        }

        LinkCodec(ref writer, Chain(MessageReader.MaxDepth));
        Assert.True(writer.Count > MessageReader.MaxDepth);
        buffer.Return();
    }

    [Fact]
    public void Messages_may_be_nested_to_the_limit_and_not_deeper()
    {
        var codec = s_codecs.Request("Link");
        var deepest = codec.Encode(Chain(MessageReader.MaxDepth));
        Assert.NotNull(codec.Decode(deepest));
        var exception = Assert.Throws<InvalidMessageException>(() => codec.Encode(Chain(MessageReader.MaxDepth + 1)));
        Assert.Contains("more than 64 deep", exception.Message, StringComparison.Ordinal);
    }

    private static Link Chain(int length)
    {
        Link? link = null;
        for (int i = 0; i < length; i++) link = new Link { Next = link, Number = i };
        return link!;
    }

    private static bool Fails(ref MessageWriter writer, Link link)
    {
        try
        {
            LinkCodec(ref writer, link);
            return false;
        }
        catch (InvalidMessageException)
        {
            return true;
        }
    }

    private static void LinkCodec(ref MessageWriter writer, Link link)
    {
        Generated.Mux_Generators_Tests.Mux_Generators_Tests_Messages_Link_Codec.Write(ref writer, link);
    }
}
