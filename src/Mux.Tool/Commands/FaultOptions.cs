using System.CommandLine;
using Mux.Tool.Chaos;

namespace Mux.Tool.Commands;

/// <summary>Options of <c>mux chaos</c> for the faults: which, of which connections, and when. Named as in toxiproxy and tc-netem.</summary>
internal sealed class FaultOptions
{
    private const long LargestOffset = 1_000_000_000_000;
    private const long HighestRate = 10_000_000_000;

    private static readonly TimeSpan s_longestDelay = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(24);
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(1);

    private readonly Option<Duration?> _delay = Time(
        "--delay", TimeSpan.Zero, s_longestDelay, "Time that every byte takes longer; order and rate stay", "--latency");

    private readonly Option<Duration?> _jitter = Time(
        "--jitter", TimeSpan.Zero, s_longestDelay, "Largest deviation from --delay, evenly distributed; order stays");

    private readonly Option<ByteCount?> _rate = CheckedOption.Parsed<ByteCount>(
        "--rate", "RATE", IsRate, $"{ByteCount.Expected(1, HighestRate)}, per second",
        "Bytes per second of each connection and direction, such as 64k or 1.5m (1 to 10g)", "--bandwidth");

    private readonly Option<ByteCount?> _slice = CheckedOption.Bytes("--slice", 1, 65_536, "Bytes forwarded at once", "as they come");
    private readonly Option<bool> _stall = new("--stall") { Description = "Forward nothing; bytes wait, and none is lost" };
    private readonly Option<bool> _halfOpen = new("--half-open")
    {
        Description = "Drop bytes and ends silently: both sides believe that the other is there. Connections that lost bytes are reset when the fault ends",
    };

    private readonly Option<ByteRange?> _resetAt = CheckedOption.Parsed<ByteRange>(
        "--reset-at", "BYTES", IsRange, $"{ByteCount.Expected(1, LargestOffset)}; or a range such as 1-5k",
        "Reset a connection at both sides after so many bytes in a direction; of a range, each connection draws one", "--limit-data");

    private readonly Option<Share?> _corrupt = CheckedOption.Parsed<Share>(
        "--corrupt", "SHARE", IsShare, "a share above 0% up to 100%, such as 0.01%", "Share of the bytes that get one wrong bit, such as 0.01%");

    private readonly Option<string> _direction = ChoiceOption.Create(
        "--direction", ChaosDirection.Both, "Bytes that have the faults; upstream is from clients to the server");

    private readonly Option<Share?> _share = CheckedOption.Parsed<Share>(
        "--share", "SHARE", IsShare, "a share above 0% up to 100%, such as 25%", "Share of the connections that have the faults [default: 100%]", "--toxicity");

    private readonly Option<Duration?> _start = Time("--start", TimeSpan.Zero, s_longest, "Time before the first fault");
    private readonly Option<Duration?> _duration = Time("--duration", s_shortest, s_longest, "How long the faults last [default: to the end]");
    private readonly Option<Duration?> _every = Time("--every", s_shortest, s_longest, "Time from one --start to the next; needs a --duration [default: once]");

    public void AddTo(ToolCommand command)
    {
        command.Add(OptionGroup.Faults, _delay, _jitter, _rate, _slice, _stall, _halfOpen, _resetAt, _corrupt);
        command.Add(OptionGroup.Occurrence, _direction, _share, _start, _duration, _every);
    }

    /// <exception cref="ToolException">Options contradict each other.</exception>
    public ChaosPlan Read(ParseResult result)
    {
        var faults = new ChaosFaults
        {
            Delay = ValueOf(_delay) ?? TimeSpan.Zero,
            Jitter = ValueOf(_jitter) ?? TimeSpan.Zero,
            BytesPerSecond = result.GetValue(_rate).GetValueOrDefault().Value,
            Slice = (int)(result.GetValue(_slice)?.Value ?? int.MaxValue),
            Stall = result.GetValue(_stall),
            HalfOpen = result.GetValue(_halfOpen),
            ResetAt = result.GetValue(_resetAt),
            Corrupt = result.GetValue(_corrupt).GetValueOrDefault().Value,
        };
        var window = new ChaosWindow(ValueOf(_start) ?? TimeSpan.Zero, ValueOf(_duration), ValueOf(_every));
        Check(faults, window);
        var direction = result.Chosen<ChaosDirection>(_direction);
        return new ChaosPlan
        {
            Upstream = direction == ChaosDirection.Downstream ? ChaosFaults.None : faults,
            Downstream = direction == ChaosDirection.Upstream ? ChaosFaults.None : faults,
            Share = result.GetValue(_share)?.Value ?? 1,
            Window = window,
        };

        TimeSpan? ValueOf(Option<Duration?> option) => result.GetValue(option)?.Value;
    }

    private static void Check(ChaosFaults faults, ChaosWindow window)
    {
        if (faults.Jitter > faults.Delay)
        {
            throw Wrong($"--jitter {new Duration(faults.Jitter)}: expected at most the --delay, which is {new Duration(faults.Delay)}.");
        }

        if (faults is { Stall: true, HalfOpen: true }) throw Wrong("--stall and --half-open exclude each other: bytes wait, or are dropped.");
        if (window.Every is not { } every) return;
        if (window.Duration is not { } duration) throw Wrong("--every needs a --duration: without one, the faults do not end.");
        if (every <= duration) throw Wrong($"--every {new Duration(every)}: expected more than the --duration, which is {new Duration(duration)}.");
    }

    private static Option<Duration?> Time(string name, TimeSpan min, TimeSpan max, string description, params string[] aliases)
    {
        var range = $"{new Duration(min)} to {new Duration(max)}";
        return CheckedOption.Parsed<Duration>(name, "TIME", IsInRange, range, $"{description} ({range})", aliases);

        bool IsInRange(string text, out Duration time) => Duration.TryParse(text, out time) && time.Value >= min && time.Value <= max;
    }

    private static bool IsShare(string text, out Share share) => Share.TryParse(text, out share) && share.Value is > 0 and <= 1;

    private static bool IsRange(string text, out ByteRange range)
    {
        range = default;
        var parts = text.Split('-');
        if (parts.Length > 2 || !ByteCount.TryParse(parts[0], 1, LargestOffset, out var first)) return false;
        if (!ByteCount.TryParse(parts[^1], first.Value, LargestOffset, out var last)) return false;
        range = new ByteRange(first.Value, last.Value);
        return true;
    }

    private static bool IsRate(string text, out ByteCount rate) => ByteCount.TryParse(text, 1, HighestRate, out rate);

    private static ToolException Wrong(string message) => new(ExitCode.Usage, message);
}
