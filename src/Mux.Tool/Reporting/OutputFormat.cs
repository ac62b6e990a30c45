namespace Mux.Tool.Reporting;

/// <summary>Formats of the standard output.</summary>
internal enum OutputFormat
{
    /// <summary>For people.</summary>
    Text,

    /// <summary>A table with a line per run, cell or rate.</summary>
    Csv,

    /// <summary>What <c>--json</c> writes to a file.</summary>
    Json,

    /// <summary>The text format of Prometheus, for a textfile collector or a push gateway.</summary>
    Prometheus,
}
