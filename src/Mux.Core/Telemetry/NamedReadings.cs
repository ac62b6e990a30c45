using System.Diagnostics.Metrics;

namespace Mux.Telemetry;

/// <summary>
/// All objects of one kind that the meters of a factory read, until the garbage collector takes them: nothing ends them. Safe for concurrent use.
/// </summary>
/// <param name="tag">The attribute that holds their names. Numbers of the same name are summed.</param>
internal sealed class NamedReadings<TReadings>(string tag)
    where TReadings : class, INamedReadings
{
    private readonly Lock _gate = new();
    private readonly List<WeakReference<TReadings>> _all = [];

    public void Add(TReadings readings)
    {
        lock (_gate)
        {
            _all.RemoveAll(static one => !one.TryGetTarget(out _));
            _all.Add(new(readings));
        }
    }

    /// <param name="read">Reads a number.</param>
    /// <param name="of">A further attribute of the number; null for none.</param>
    public List<Measurement<long>> Observe(Func<TReadings, long> read, KeyValuePair<string, object?>? of = null)
    {
        lock (_gate)
        {
            var alive = _all.Select(static one => one.TryGetTarget(out var readings) ? readings : null).OfType<TReadings>();
            return [.. alive.GroupBy(readings => readings.Name, StringComparer.Ordinal).Select(all => Sum(all.Key, all.Sum(read), of))];
        }
    }

    private Measurement<long> Sum(string name, long value, KeyValuePair<string, object?>? of)
    {
        var named = new KeyValuePair<string, object?>(tag, name);
        return of is { } other ? new(value, named, other) : new(value, named);
    }
}
