using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Generated code reads the key of a call from its arguments.</summary>
public sealed class KeyTests
{
    private static readonly Guid s_id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");

    private readonly KeyInvoker _invoker = new();
    private readonly IKeys _sut;

    public KeyTests() => _sut = ServiceContract<IKeys>.Get().CreateProxy(_invoker);

    [Fact]
    public void A_method_without_a_mark_has_no_key()
    {
        _sut.None(1);
        Assert.Null(_invoker.Last);
    }

    [Fact]
    public void A_marked_argument_is_the_key_as_its_text()
    {
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Text("a")));
        Assert.Equal(KeyHash.Of("-5"), KeyOf(() => _sut.Number(-5)));
        Assert.Equal(KeyHash.Of("5"), KeyOf(() => _sut.MaybeNumber(5)));
        Assert.Equal(KeyHash.Of("18446744073709551615"), KeyOf(() => _sut.Large(ulong.MaxValue)));
        Assert.Equal(KeyHash.Of("1"), KeyOf(() => _sut.Day(DayOfWeek.Monday)));
        Assert.Equal(KeyHash.Of("00112233-4455-6677-8899-aabbccddeeff"), KeyOf(() => _sut.Id(s_id)));
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Bytes("a"u8.ToArray())));
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Memory("a"u8.ToArray())));
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Second(1, "a", true)));
        Assert.Equal(KeyHash.Of("5"), KeyOf(() => _sut.OneWay(5)));
    }

    [Fact]
    public void A_stream_has_the_key_of_its_arguments()
    {
        Assert.Equal(KeyHash.Of("5"), KeyOf(() => _ = _sut.Down(5)));
        Assert.Equal(KeyHash.Of("5"), KeyOf(() => _sut.Up(AsyncEnumerable.Empty<int>(), 5)));
    }

    [Fact]
    public void A_marked_member_of_an_argument_is_the_key()
    {
        var visit = new Visit { Room = "a" };
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Message(visit)));
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Derived(new LongVisit { Room = "a" })));
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.MessageAfterOther(1, visit)));
        Assert.Equal(KeyHash.Of("a"), KeyOf(() => _sut.Nested(new Trip { First = visit })));
        Assert.Equal(KeyHash.Of("5"), KeyOf(() => _sut.Positional(new Guest(5))));
        Assert.Equal(KeyHash.Of("5"), KeyOf(() => _sut.MaybeStruct(new Halt { Place = 5 })));
        Assert.Equal(KeyHash.Of("1-2"), KeyOf(() => _sut.Together(new Span { From = 1, To = 2 })));
    }

    [Fact]
    public void A_marked_parameter_goes_before_members() => Assert.Equal(KeyHash.Of("5"), KeyOf(() => _sut.ParameterFirst(new Visit { Room = "a" }, 5)));

    [Fact]
    public void What_is_null_or_empty_is_no_key_wherever_it_is()
    {
        Assert.Equal(0ul, KeyOf(() => _sut.Text(null)));
        Assert.Equal(0ul, KeyOf(() => _sut.Text("")));
        Assert.Equal(0ul, KeyOf(() => _sut.MaybeNumber(null)));
        Assert.Equal(0ul, KeyOf(() => _sut.Bytes(null)));
        Assert.Equal(0ul, KeyOf(() => _sut.Bytes([])));
        Assert.Equal(0ul, KeyOf(() => _sut.Memory(default)));
        Assert.Equal(0ul, KeyOf(() => _sut.Message(null!)));
        Assert.Equal(0ul, KeyOf(() => _sut.Message(new Visit())));
        Assert.Equal(0ul, KeyOf(() => _sut.Nested(new Trip())));
        Assert.Equal(0ul, KeyOf(() => _sut.MessageAfterOther(1, null)));
        Assert.Equal(0ul, KeyOf(() => _sut.MaybeStruct(null)));
        Assert.NotEqual(0ul, KeyOf(() => _sut.Number(0)));
    }

    [Fact]
    public void Reading_a_key_allocates_nothing()
    {
        var trip = new Trip { First = new Visit { Room = "a room with a view, and not a short name for it" } };
        byte[] bytes = [1, 2, 3];
        Read();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++) Read();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Read()
        {
            _sut.Number(int.MinValue);
            _sut.Id(s_id);
            _sut.Bytes(bytes);
            _sut.Second(1, "a", true);
            _sut.Nested(trip);
        }
    }

    private ulong KeyOf(Action call)
    {
        call();
        return Assert.NotNull(_invoker.Last);
    }
}
