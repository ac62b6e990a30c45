using System.Globalization;
using System.Text;

namespace Mux.Tool.Reporting;

/// <summary>Builds a text in the exposition format of Prometheus 0.0.4: all samples of a metric in one block, all of them gauges.</summary>
internal sealed class PrometheusText
{
    private readonly List<(string Name, string Help, StringBuilder Samples)> _metrics = [];

    /// <summary>Adds a sample; none for a value that does not exist.</summary>
    /// <param name="name">Name of the metric.</param>
    /// <param name="help">What it is, with its unit.</param>
    /// <param name="value">The value.</param>
    /// <param name="labels">Labels; those without a value are left out.</param>
    public void Add(string name, string help, double? value, params IEnumerable<(string Name, object? Value)> labels)
    {
        if (value is not { } number) return;
        var samples = _metrics.Find(metric => metric.Name == name).Samples;
        if (samples is null) _metrics.Add((name, help, samples = new StringBuilder()));
        var pairs = labels.Where(label => label.Value is not null)
            .Select(label => $"{label.Name}=\"{Escape(Convert.ToString(label.Value, CultureInfo.InvariantCulture)!)}\"").ToArray();
        samples.Append(name);
        if (pairs.Length > 0) samples.Append('{').AppendJoin(',', pairs).Append('}');
        samples.Append(' ').Append(number.ToString("G12", CultureInfo.InvariantCulture)).Append('\n');
    }

    public override string ToString()
    {
        var text = new StringBuilder();
        foreach (var (name, help, samples) in _metrics)
        {
            text.Append(CultureInfo.InvariantCulture, $"# HELP {name} {help}\n# TYPE {name} gauge\n").Append(samples);
        }

        return text.ToString();
    }

    private static string Escape(string value) =>
        value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);
}
