using Mux.Generators.Tests.Messages;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Bytes that nobody wrote, and objects that nobody should write, for types with parts, surrogates and members that say more than they hold.</summary>
public sealed class HostileTypesTests
{
    private const int SmallStack = 256 * 1024;

    // An object of a chain is the costliest: two bytes of an include and it has six members.
    private const int MaxBytesPerByte = 200;
    private const int MaxBytesAtAll = 8192;

    private static readonly ContractCodecs<IMenagerie> s_codecs = new();
    private static readonly MessageCodec s_animal = s_codecs.Request("Animal");

    public static TheoryData<string> Methods =>
        ["Animal", "Puppy", "Kennel", "Box", "Traced", "TracedStruct", "Conditional", "Keeping", "KeepingRecord", "KeepingBase", "ExtensibleNode", "ExtensibleBase", "Thermometer", "Degrees", "Label", "Tuples", "Pair", "Long", "Coin", "Several", "Pages", "Numbers", "Labels", "Slot", "Leveled", "Holder"];

    [Theory]
    [InlineData("Animal", "5207" + "0805" + "3a03" + "f80101" + "0a0164" + "2001")]
    [InlineData("Animal", "1b" + "0801" + "1c" + "2a06" + "1b1c" + "52020805")]
    [InlineData("Kennel", "0a0a" + "5204" + "3a020900" + "0a026162" + "2204" + "4a020805" + "1b1c")]
    [InlineData("Thermometer", "0a0508dc0b1001" + "120308d00f" + "1b08b8171c" + "220408001000" + "320161" + "3a0162")]
    [InlineData("Tuples", "0a020800" + "1205080012016d" + "1a0408001000" + "33080112016734" + "420b08000801" + "1002" + "1a0103" + "2000")]
    [InlineData("ExtensibleBase", "5204" + "6001" + "6002" + "0805" + "6003")]
    public void A_message_cut_anywhere_is_read_or_refused_with_its_place(string method, string hex)
    {
        var bytes = Convert.FromHexString(hex);
        var codec = s_codecs.Request(method);
        for (int length = 0; length < bytes.Length; length++)
        {
            if (Record.Exception(() => codec.Decode(bytes[..length])) is not { } failure) continue;
            Assert.Contains("byte ", Assert.IsType<InvalidMessageException>(failure).Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Methods))]
    public void Random_fields_are_read_or_refused(string method)
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        var codec = s_codecs.Request(method);
        MessageBuffer.Rent().Return(); // the buffer of this thread, which stays
        for (int i = 0; i < 5000; i++) ReadOrRefuse(codec, RandomFields.Next(random, depth: 4), $"seed {seed}, round {i}");
    }

    [Theory]
    [InlineData(0x2a)] // a member of the class itself
    [InlineData(0x2b)]
    [InlineData(0x12)] // in a list
    [InlineData(0x52)] // parts in parts that do not know them
    [InlineData(0x53)]
    [InlineData(0x7b)] // groups that nobody knows
    public void Nesting_without_end_is_refused_or_passed_over_on_a_small_stack(byte tag)
    {
        var bytes = (tag & 7) == 3 ? Enumerable.Repeat(tag, 1_000_000).ToArray() : RandomFields.Nested([tag], 100_000);
        OnSmallStack(() => Record.Exception(() => s_animal.Decode(bytes)));
        OnSmallStack(() => Record.Exception(() => s_codecs.Request("Keeping").Decode(bytes)));
    }

    [Fact]
    public void Parts_count_as_messages_inside_one_another()
    {
        OnSmallStack(static () =>
        {
            var deepest = s_animal.Encode(Friends(MessageReader.MaxDepth - 2));
            Assert.IsType<Puppy>(s_animal.Decode(deepest));
            var exception = Assert.Throws<InvalidMessageException>(() => s_animal.Encode(Friends(MessageReader.MaxDepth - 1)));
            Assert.Contains("more than 64 deep", exception.Message, StringComparison.Ordinal);
            var deeper = RandomFields.Nested([0x2a], MessageReader.MaxDepth - 3, inner: Convert.FromHexString("5202" + "3a00"));
            Assert.IsType<Puppy>(Innermost((Animal)s_animal.Decode(deeper)!));
            exception = Assert.Throws<InvalidMessageException>(() => s_animal.Decode(RandomFields.Nested([0x2a], MessageReader.MaxDepth - 2, inner: Convert.FromHexString("5202" + "3a00"))));
            Assert.Contains("more than 64 deep", exception.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void A_circle_of_objects_is_refused_on_a_small_stack()
    {
        var dog = Puppy.Create("p", 1, 1);
        dog.Friend = dog;
        OnSmallStack(() => Assert.Throws<InvalidMessageException>(() => s_animal.Encode(dog)));
        var node = new ExtensibleNode();
        node.Next = node;
        OnSmallStack(() => Assert.Throws<InvalidMessageException>(() => s_codecs.Request("ExtensibleNode").Encode(node)));
    }

    [Fact]
    public void An_object_that_becomes_another_ever_deeper_is_read_on_a_small_stack()
    {
        // At every level the member comes as an animal with a friend, and then as a dog.
        byte[] bytes = [];
        for (int i = 0; i < 12; i++) bytes = [.. Field(0x2a, bytes), .. Field(0x2a, Convert.FromHexString("52020805"))];
        OnSmallStack(() => Assert.IsType<Dog>(((Animal)s_animal.Decode(bytes)!).Friend));
    }

    private static byte[] Field(byte tag, byte[] content) => RandomFields.Nested([tag], 1, content);

    private static Puppy Friends(int depth)
    {
        var animal = Puppy.Create("p", 0, 0);
        for (int i = 1; i < depth; i++)
        {
            var next = Puppy.Create("p", 0, 0);
            next.Friend = animal;
            animal = next;
        }

        return animal;
    }

    private static Animal Innermost(Animal animal)
    {
        while (animal.Friend is { } friend) animal = friend;
        return animal;
    }

    private static void ReadOrRefuse(MessageCodec codec, byte[] bytes, string hint)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            codec.Decode(bytes);
        }
        catch (InvalidMessageException)
        {
        }
        catch (Exception exception)
        {
            Assert.Fail($"{hint}: {Convert.ToHexString(bytes)}: {exception}");
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated <= MaxBytesAtAll + MaxBytesPerByte * bytes.Length, $"{hint}: {allocated} bytes allocated for {bytes.Length}: {Convert.ToHexString(bytes)}");
    }

    private static void OnSmallStack(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action), SmallStack);
        thread.Start();
        Assert.True(thread.Join(TimeSpan.FromSeconds(60)), "the thread with the small stack did not end");
        Assert.Null(failure);
    }
}
