using System.Globalization;
using Mux.Serialization.Oracles.Protos;
using Mux.Serialization.Oracles.Trees;

namespace Mux.Serialization.Oracles.Values;

/// <summary>All kinds of values of .NET, made from what protobuf-net documents of them and not from our code.</summary>
internal static class KnownForms
{
    private const int GuidSize = 16;

    private static readonly Dictionary<Known, KnownForm> s_forms = new()
    {
        [Known.GuidText] = KnownForm.Of(NextGuid, static guid => guid == Guid.Empty ? string.Empty : guid.ToString("D"), static tree => tree is "" ? Guid.Empty : Guid.ParseExact((string)tree, "D")),
        [Known.GuidBytes] = KnownForm.Of(NextGuid, static guid => guid == Guid.Empty ? Blob.Of([]) : Blob.Of(guid.ToByteArray(bigEndian: true)), static tree => ((Blob)tree).ToArray() is { Length: GuidSize } bytes ? new Guid(bytes, bigEndian: true) : Guid.Empty),
        [Known.GuidHalves] = KnownForm.Of(NextGuid, HalvesOf, FromHalves),
        [Known.DecimalText] = KnownForm.Of(NextDecimal, static value => value.ToString(CultureInfo.InvariantCulture), static tree => decimal.Parse((string)tree, NumberStyles.Number, CultureInfo.InvariantCulture)),
        [Known.DecimalParts] = KnownForm.Of(NextDecimal, PartsOf, FromParts),
        [Known.Timestamp] = KnownForm.Of(KnownTimes.NextTime, KnownTimes.TimestampOf, KnownTimes.FromTimestamp),
        [Known.Duration] = KnownForm.Of(KnownTimes.NextSpan, KnownTimes.DurationOf, KnownTimes.FromDuration),
        [Known.ScaledTime] = KnownForm.Of(KnownTimes.NextTime, KnownTimes.ScaledOf, KnownTimes.TimeFromScaled),
        [Known.ScaledSpan] = KnownForm.Of(KnownTimes.NextSpan, KnownTimes.ScaledOf, KnownTimes.SpanFromScaled),
        [Known.TimeTicks] = KnownForm.Of(KnownTimes.NextTime, static time => (Int128)(time - DateTime.UnixEpoch).Ticks, static tree => DateTime.UnixEpoch.AddTicks((long)(Int128)tree)),
        [Known.SpanTicks] = KnownForm.Of(KnownTimes.NextSpan, static span => (Int128)span.Ticks, static tree => new TimeSpan((long)(Int128)tree)),
        [Known.Days] = KnownForm.Of(static random => DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber + 1)), static date => (Int128)date.DayNumber, static tree => DateOnly.FromDayNumber((int)(Int128)tree)),
        [Known.TimeOfDay] = KnownForm.Of(static random => new TimeOnly(random.NextInt64(TimeSpan.TicksPerDay)), static time => (Int128)time.Ticks, static tree => new TimeOnly((long)(Int128)tree)),
        [Known.Uri] = new KnownForm(string.Empty, NextUri, static uri => ((Uri)uri).OriginalString, static tree => new Uri((string)tree, UriKind.RelativeOrAbsolute)),
    };

    public static KnownForm Of(Known known) => s_forms[known];

    /// <summary>Whether this is how we write a value, so that nothing is left to how it is read.</summary>
    public static bool IsOurs(Known known, object tree)
    {
        try
        {
            var form = Of(known);
            if (known == Known.Uri && form.Zero.Equals(tree)) return false; // read as null, which is no item of a list
            return FieldText.Of(form.ToTree(form.FromTree(tree))) == FieldText.Of(tree);
        }
        catch (Exception error) when (error is FormatException or OverflowException or ArgumentException or InvalidCastException)
        {
            return false;
        }
    }

    /// <summary>Whether a value is what a member has that nothing was read into, in any of its forms: a decimal of zero has many.</summary>
    public static bool IsZero(KnownForm form, object tree)
    {
        try
        {
            return form.FromTree(tree).Equals(form.Zero);
        }
        catch (Exception error) when (error is FormatException or OverflowException or ArgumentException or InvalidCastException)
        {
            return false;
        }
    }

    private static Guid NextGuid(Random random)
    {
        if (random.Next(8) == 0) return Guid.Empty;
        Span<byte> bytes = stackalloc byte[GuidSize];
        random.NextBytes(bytes);
        return new Guid(bytes);
    }

    // All scales and lengths; zeros at the end are kept.
    private static decimal NextDecimal(Random random)
    {
        int words = random.Next(4);
        return new decimal(words > 0 ? random.Next() : 0, words > 1 ? random.Next() : 0, words > 2 ? random.Next() : 0, random.Next(2) == 0, (byte)random.Next(29));
    }

    private static object NextUri(Random random) => random.Next(3) switch
    {
        0 => new Uri("relative/path?x=" + random.Next(), UriKind.Relative),
        1 => new Uri("https://example.org:8080/é/" + random.Next()),
        _ => new Uri("urn:isbn:" + random.Next()),
    };

    private static object HalvesOf(Guid guid)
    {
        var bytes = guid.ToByteArray();
        return Parts((1, BitConverter.ToUInt64(bytes, 0)), (2, BitConverter.ToUInt64(bytes, 8)));
    }

    private static Guid FromHalves(object tree) => new([.. BitConverter.GetBytes((ulong)Part(tree, 1)), .. BitConverter.GetBytes((ulong)Part(tree, 2))]);

    private static object PartsOf(decimal value)
    {
        var bits = decimal.GetBits(value);
        uint flags = (uint)bits[3];
        return Parts((1, ((ulong)(uint)bits[1] << 32) | (uint)bits[0]), (2, (uint)bits[2]), (3, ((flags >> 15) & 0x1fe) | (flags >> 31)));
    }

    private static decimal FromParts(object tree)
    {
        ulong low = (ulong)Part(tree, 1);
        uint signScale = (uint)Part(tree, 3);
        return new decimal((int)(uint)low, (int)(uint)(low >> 32), (int)(uint)Part(tree, 2), (signScale & 1) != 0, checked((byte)(signScale >> 1)));
    }

    /// <summary>A message of numbers, of which zeros are left out.</summary>
    internal static FieldTree Parts(params ReadOnlySpan<(int Number, Int128 Value)> parts)
    {
        var tree = new FieldTree();
        foreach (var (number, value) in parts)
        {
            if (value != 0) tree.Add(number, value);
        }

        return tree;
    }

    internal static Int128 Part(object tree, int number) => (Int128)((FieldTree)tree).Fields.GetValueOrDefault(number, (Int128)0);
}
