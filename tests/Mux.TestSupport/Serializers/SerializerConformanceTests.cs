using Mux.Serialization;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.TestSupport.Serializers;

/// <summary>
/// What a contract may expect of any serializer that it names. A suite derives from this for each, with a contract of its own named <see cref="SerializerSuite.Service"/>: the three methods of
/// <see cref="IRawEcho"/> with a message that has the members of a <see cref="Specimen"/>.
/// </summary>
/// <typeparam name="TContract">The contract.</typeparam>
/// <typeparam name="TMessage">What its methods take and return.</typeparam>
/// <typeparam name="TEcho">Implements the contract.</typeparam>
public abstract partial class SerializerConformanceTests<TContract, TMessage, TEcho> : EndToEndTests
    where TContract : class
    where TMessage : class
    where TEcho : EchoService<TMessage>, TContract, new()
{
    /// <summary>What an object may take of the memory for each byte that it was read from, generously: an empty message in a list is two bytes and an object of a dozen members.</summary>
    private const int MaxBytesPerByte = 256;

    /// <summary>What a refusal may take beside that: an exception in an exception, texts, and what the serializer keeps for the next message.</summary>
    private const int MaxBytesAtAll = 64 * 1024;

    private readonly DirectCodec<TContract, TMessage> _codec = new();

    /// <summary>Whether the message has members, so that some bytes are no message.</summary>
    protected virtual bool HasShape => true;

    /// <summary>Whether an object that is nested too deep is refused when it is written, and not only by its reader.</summary>
    protected virtual bool LimitsDepthOfObjects => true;

    /// <summary>Bytes that are no message, by what is wrong.</summary>
    protected abstract IReadOnlyDictionary<string, byte[]> Hostile { get; }

    /// <summary>So many messages in one another; null if messages cannot be.</summary>
    protected abstract byte[]? Nested(int depth);

    /// <summary>The message with the same members.</summary>
    protected abstract TMessage Make(Specimen specimen);

    /// <summary>The members of a message.</summary>
    protected abstract Specimen Describe(TMessage message);

    /// <summary>Whether the specimen can be sent. Some limits are the format's.</summary>
    protected virtual bool Carries(string name) => true;

    private IEnumerable<KeyValuePair<string, Specimen>> Carried => Specimens.All.Where(specimen => Carries(specimen.Key));

    [Fact]
    public void A_message_comes_back_as_it_was()
    {
        foreach (var (name, specimen) in Carried)
        {
            var sent = Make(specimen);
            if (HasShape) Assert.Equal($"{name}: {specimen}", $"{name}: {Describe(sent)}");
            var expected = Describe(sent).ToString(); // now: what has an owner is gone when it is sent
            Assert.Equal($"{name}: {expected}", $"{name}: {Describe(_codec.Decode(_codec.Encode(sent)))}");
        }
    }

    [Fact]
    public void A_message_has_the_same_bytes_whatever_room_there_is()
    {
        foreach (var specimen in Carried.Select(entry => entry.Value))
        {
            var expected = _codec.Encode(Make(specimen), room: 2 * 1024 * 1024);
            foreach (int room in (int[])[0, 1, 5, 100, expected.Length]) Assert.Equal(expected, _codec.Encode(Make(specimen), room));
        }
    }

    [Fact]
    public void Null_is_no_message()
    {
        var refused = Assert.Throws<ArgumentNullException>(() => _codec.Encode(null!));
        Assert.Contains("Echo", refused.Message, StringComparison.Ordinal);
        Assert.Contains("null cannot be sent", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Bytes_that_are_no_message_are_refused_for_little_memory_and_stack()
    {
        foreach (var (what, bytes) in Hostile)
        {
            StackLimit.Run(() =>
            {
                Assert.Throws<InvalidMessageException>(() => Read(bytes, what)); // what the first time takes is not the message's
                Assert.Throws<InvalidMessageException>(() => ReadMeasured(bytes, what));
            });
        }
    }

    [Fact]
    public void A_refusal_names_the_method_or_the_message()
    {
        var subjects = (string[])["Echo", typeof(TMessage).Name];
        foreach (var (what, bytes) in Hostile)
        {
            var error = Assert.Throws<InvalidMessageException>(() => _codec.Decode(bytes));
            Assert.True(Array.Exists(subjects, subject => error.Message.Contains(subject, StringComparison.Ordinal)), $"{what}: {error.Message}");
        }
    }

    [Fact]
    public void A_message_that_is_cut_anywhere_is_read_or_refused()
    {
        var whole = _codec.Encode(Make(Specimens.All["ones"]));
        for (int length = 0; length < whole.Length; length++) ReadOrRefuse(whole[..length], $"cut after {length} bytes");
    }

    [Fact]
    public void A_message_with_changed_bytes_is_read_or_refused()
    {
        var random = new Random(TestSeed.Next());
        var whole = _codec.Encode(Make(Specimens.All["ones"]));
        for (int round = 0; round < 20_000; round++)
        {
            var bytes = (byte[])whole.Clone();
            for (int changes = random.Next(1, 5); changes > 0; changes--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            ReadOrRefuse(bytes, $"round {round}");
        }
    }

    [Fact]
    public void Random_bytes_are_read_or_refused()
    {
        var random = new Random(TestSeed.Next());
        for (int round = 0; round < 20_000; round++)
        {
            var bytes = new byte[random.Next(100)];
            random.NextBytes(bytes);
            ReadOrRefuse(bytes, $"round {round}");
        }
    }

    [Fact]
    public void Messages_are_read_as_deep_as_they_may_be_and_no_deeper()
    {
        if (Nested(Specimens.MaxDepth) is not { } deepest) return;
        StackLimit.Run(() =>
        {
            Assert.NotNull(_codec.Decode(deepest));
            var error = Assert.Throws<InvalidMessageException>(() => _codec.Decode(Nested(Specimens.MaxDepth + 1)!));
            Assert.Contains("64", error.ToString(), StringComparison.Ordinal);
        });
    }

    [Fact]
    public void An_object_that_is_deeper_than_messages_may_be_is_not_sent()
    {
        if (!LimitsDepthOfObjects || !HasShape) return;
        var error = Assert.Throws<InvalidMessageException>(() => _codec.Encode(Make(Specimens.Nested(Specimens.MaxDepth + 1))));
        Assert.Contains("64", error.Message, StringComparison.Ordinal);
        Assert.NotNull(_codec.Decode(_codec.Encode(Make(Specimens.All["ones"])))); // and what was begun is no part of the next message
    }

    private void ReadOrRefuse(byte[] bytes, string what)
    {
        try
        {
            ReadMeasured(bytes, what);
        }
        catch (InvalidMessageException)
        {
        }
    }

    /// <exception cref="InvalidMessageException">The bytes are no message. Every other exception fails the test.</exception>
    private void ReadMeasured(byte[] bytes, string what)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            Read(bytes, what);
        }
        finally
        {
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(allocated <= MaxBytesAtAll + (long)MaxBytesPerByte * bytes.Length, $"{what}: {allocated} bytes allocated for {bytes.Length}: {Convert.ToHexString(bytes.AsSpan(0, Math.Min(bytes.Length, 1000)))}");
        }
    }

    private void Read(byte[] bytes, string what)
    {
        try
        {
            _codec.Decode(bytes);
        }
        catch (Exception error) when (error is not InvalidMessageException)
        {
            Assert.Fail($"{what}: {Convert.ToHexString(bytes.AsSpan(0, Math.Min(bytes.Length, 1000)))}: {error}");
        }
    }
}
