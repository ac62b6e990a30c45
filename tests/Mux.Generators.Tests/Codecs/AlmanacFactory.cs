using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Makes random almanacs that survive a round trip: dates of the kind that they are read as, no list without items.</summary>
internal sealed class AlmanacFactory(int seed)
{
    private static readonly string[] s_addresses = ["http://host/a?b=c#d", "relative/path", "mailto:a@b.c", "http://h\u00f6st/\u6771", "?", "//host", "urn:x:\U0001F600", " a "];

    private readonly Random _random = new(seed);

    public Almanac Next() => new()
    {
        Id = Guid(),
        GroupedGuid = Guid(),
        Amount = Decimal(),
        Date = Date(DateTimeKind.Unspecified),
        DateTicks = Date(DateTimeKind.Unspecified),
        GroupedDate = Date(DateTimeKind.Unspecified),
        Span = Span(),
        SpanTicks = Span(),
        GroupedSpan = Span(),
        Timestamp = Date(DateTimeKind.Utc),
        GroupedTimestamp = Date(DateTimeKind.Utc),
        Duration = Span(),
        GroupedDuration = Span(),
        GuidText = Guid(),
        GuidBytes = Guid(),
        DecimalText = Decimal(),
        Day = Day(),
        Time = Time(),
        Address = Coin() ? Address() : null,
        Memory = Bytes(),
        ReadOnlyMemory = Bytes(),
        Segment = Bytes(),
        MaybeGuid = Maybe(Guid),
        MaybeGuidText = Maybe(Guid),
        MaybeDecimal = Maybe(ScaledDecimal),
        MaybeDecimalText = Maybe(ScaledDecimal),
        MaybeDate = Maybe(() => Date(DateTimeKind.Unspecified)),
        MaybeTimestamp = Maybe(() => Date(DateTimeKind.Utc)),
        MaybeSpan = Maybe(Span),
        MaybeDuration = Maybe(Span),
        MaybeDay = Maybe(Day),
        MaybeTime = Maybe(Time),
        MaybeMemory = Maybe<ReadOnlyMemory<byte>>(() => Bytes()),
        Guids = Items(Guid),
        GuidTexts = Items(Guid)?.ToArray(),
        Decimals = Items(ScaledDecimal),
        DecimalTexts = Items(ScaledDecimal)?.ToArray(),
        GroupedDates = Items(() => Date(DateTimeKind.Unspecified)),
        Timestamps = Items(() => Date(DateTimeKind.Utc))?.ToArray(),
        Spans = Items(Span),
        Durations = Items(Span)?.ToArray(),
        Days = Items(Day)?.ToArray(),
        Times = Items(Time),
        Addresses = Items(Address),
        Memories = Items<Memory<byte>>(() => Bytes()),
        ReadOnlyMemories = Items<ReadOnlyMemory<byte>>(() => Bytes())?.ToArray(),
        FarTimestamp = Date(DateTimeKind.Utc),
        FarDay = Day(),
        FarthestGuid = Guid(),
    };

    private bool Coin() => _random.Next(2) == 0;

    private T? Maybe<T>(Func<T> make)
        where T : struct
    {
        return Coin() ? make() : null;
    }

    private List<T>? Items<T>(Func<T> make) => Coin() ? [.. Enumerable.Range(0, _random.Next(1, 12)).Select(_ => make())] : null;

    private Guid Guid() => _random.Next(5) switch
    {
        0 => System.Guid.Empty,
        1 => System.Guid.AllBitsSet,
        _ => new Guid(Bytes(16)),
    };

    // Of a zero that is left out the scale is lost.
    private decimal Decimal() => ScaledDecimal() is var value && value == 0 ? 0 : value;

    // A zero has no sign in a text.
    private decimal ScaledDecimal() => AnyDecimal() is var value && value == 0 ? Math.Abs(value) : value;

    private decimal AnyDecimal() => _random.Next(8) switch
    {
        0 => decimal.MaxValue,
        1 => decimal.MinValue,
        2 => new decimal(1, 0, 0, Coin(), 28),
        3 => new decimal(0, 0, 0, isNegative: false, (byte)_random.Next(29)),
        4 => _random.Next(100),
        _ => new decimal(Bits(), Coin() ? Bits() : 0, Coin() ? Bits() : 0, Coin(), (byte)_random.Next(29)),
    };

    private DateTime Date(DateTimeKind kind) => new(
        _random.Next(8) switch
        {
            0 => DateTime.MinValue.Ticks + (kind == DateTimeKind.Utc ? 0 : _random.Next(2)),
            1 => DateTime.MaxValue.Ticks - (kind == DateTimeKind.Utc ? 0 : _random.Next(2)),
            2 => DateTime.UnixEpoch.Ticks + _random.Next(-3, 4),
            3 => _random.NextInt64(DateTime.MaxValue.Ticks / TimeSpan.TicksPerDay) * TimeSpan.TicksPerDay,
            4 => _random.NextInt64(DateTime.MaxValue.Ticks / TimeSpan.TicksPerSecond) * TimeSpan.TicksPerSecond,
            _ => _random.NextInt64(DateTime.MaxValue.Ticks + 1),
        },
        kind);

    private TimeSpan Span() => _random.Next(8) switch
    {
        0 => TimeSpan.MinValue + new TimeSpan(_random.Next(2)),
        1 => TimeSpan.MaxValue - new TimeSpan(_random.Next(2)),
        2 => new TimeSpan(_random.Next(-3, 4)),
        3 => new TimeSpan(_random.Next(-10_000_000, 10_000_000), _random.Next(24), 0, 0),
        4 => TimeSpan.FromMinutes(_random.Next()),
        5 => TimeSpan.FromSeconds((long)_random.Next(int.MinValue, int.MaxValue)),
        6 => TimeSpan.FromMilliseconds(_random.NextInt64(-1L << 49, 1L << 49)),
        _ => new TimeSpan(_random.NextInt64(long.MinValue, long.MaxValue)),
    };

    private DateOnly Day() => DateOnly.FromDayNumber(_random.Next(4) switch { 0 => 0, 1 => DateOnly.MaxValue.DayNumber, _ => _random.Next(DateOnly.MaxValue.DayNumber) });

    private TimeOnly Time() => new(_random.Next(4) switch { 0 => 0, 1 => TimeOnly.MaxValue.Ticks, _ => _random.NextInt64(TimeOnly.MaxValue.Ticks) });

    private Uri Address() => new(s_addresses[_random.Next(s_addresses.Length)], UriKind.RelativeOrAbsolute);

    private int Bits() => _random.Next(int.MinValue, int.MaxValue) >> _random.Next(32);

    private byte[] Bytes() => Bytes(_random.Next(3) == 0 ? 0 : _random.Next(200));

    private byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }
}
