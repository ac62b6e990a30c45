using System.Diagnostics.Metrics;

namespace Mux.Diagnostics;

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

    public List<Measurement<long>> Observe(Func<TReadings, long> read)
    {
        lock (_gate)
        {
            var alive = _all.Select(static one => one.TryGetTarget(out var readings) ? readings : null).OfType<TReadings>();
            return [.. alive.GroupBy(readings => readings.Name, StringComparer.Ordinal).Select(all => Sum(all.Key, all.Sum(read)))];
        }
    }

    private Measurement<long> Sum(string name, long value) => new(value, new KeyValuePair<string, object?>(tag, name));
}
