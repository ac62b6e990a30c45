using Google.Protobuf;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;

namespace Mux.Serialization.GoogleProtobuf.Tests;

/// <summary>What is particular to the library.</summary>
public sealed class GoogleProtobufSerializerTests : EndToEndTests
{
    private const int Limit = Specimens.MaxDepth;

    [Fact(Timeout = TestLimit)]
    public async Task The_other_side_may_use_the_codec_that_is_generated()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IProtoEcho>(new GoogleProtobufSerializerConformanceTests.ProtoEcho()));
        var proxy = scene.CreateChannel(server).CreateProxy<ITwinEcho>();
        var reply = await proxy.Echo(new Twin { Number = 5, Text = "a", Inner = new Twin { Number = -1 } });
        Assert.Equal((5, "a", -1), (reply.Number, reply.Text, reply.Inner!.Number));
    }

    [Fact]
    public void Unknown_fields_are_kept()
    {
        var bytes = Write(new ProtoSpecimen { Number = 1, Text = "a" });
        Assert.Equal(bytes, Write(GoogleProtobufSerializer.Read<Bottom>(bytes)));
    }

    [Fact]
    public void What_does_not_change_size_is_written_where_it_goes()
    {
        var message = new ProtoSpecimen { Text = new string('x', 10_000) };
        var overflow = new MessageBuffer();
        var writer = new MessageWriter(new byte[20_000], overflow);
        GoogleProtobufSerializer.Write(ref writer, message);
        writer.Rewind(0);
        long least = long.MaxValue; // the runtime grows its own tables on the thread that fills them
        for (int i = 0; i < 3; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            GoogleProtobufSerializer.Write(ref writer, message);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            writer.Rewind(0);
        }

        GoogleProtobufSerializer.Write(ref writer, message);
        Assert.Equal(0, least);
        Assert.Equal(message.ToByteArray(), writer.Written.ToArray());
    }

    [Fact]
    public void Messages_are_counted_through_other_types_and_maps()
    {
        var ring = new Ring();
        for (int i = 2; i < Limit; i += 2) ring = new Ring { Link = new Link { Ring = ring } };
        AssertDepth(ring, new Ring { Link = new Link { Ring = ring } });

        var map = new ProtoSpecimen();
        for (int i = 3; i < Limit; i += 2) map = new ProtoSpecimen { ByName = { ["a"] = map } }; // an entry is a message
        AssertDepth(map, new ProtoSpecimen { ByName = { ["a"] = map } });

        static void AssertDepth<T>(T deep, T deeper)
            where T : IMessage
        {
            GoogleProtobufSerializer.Read<T>(deep.ToByteArray());
            Assert.Contains("64", Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<T>(deeper.ToByteArray())).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Groups_count_and_lists_do_not()
    {
        byte[] groups = [.. Enumerable.Repeat((byte)0x7b, Limit), .. Enumerable.Repeat((byte)0x7c, Limit)];
        Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<ProtoSpecimen>(groups));
        GoogleProtobufSerializer.Read<ProtoSpecimen>(groups.AsSpan(1, groups.Length - 2));
        var list = new ProtoSpecimen { Items = { Enumerable.Range(0, 1000).Select(static number => new ProtoSpecimen { Number = number }) } };
        Assert.Equal(1000, GoogleProtobufSerializer.Read<ProtoSpecimen>(list.ToByteArray()).Items.Count);
    }

    [Fact]
    public void What_is_no_message_is_told_when_a_contract_is_prepared()
    {
        Assert.Throws<NotSupportedException>(GoogleProtobufSerializer.Prepare<string>);
        Assert.Throws<NotSupportedException>(GoogleProtobufSerializer.Prepare<IMessage>);
        GoogleProtobufSerializer.Prepare<Ring>();
    }

    private static byte[] Write<T>(T message)
    {
        var overflow = new MessageBuffer();
        var writer = new MessageWriter(new byte[1000], overflow);
        GoogleProtobufSerializer.Write(ref writer, message);
        return writer.Written.ToArray();
    }
}
