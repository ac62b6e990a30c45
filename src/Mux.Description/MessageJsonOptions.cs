namespace Mux.Description;

/// <summary>How <see cref="MessageJson"/> writes and reads, and its limits. Immutable.</summary>
public sealed record MessageJsonOptions
{
    /// <summary>Gets the options that are used where none are given.</summary>
    public static MessageJsonOptions Default { get; } = new();

    /// <summary>Gets a value indicating whether JSON has lines and indentation.</summary>
    public bool Indented { get; init; }

    /// <summary>
    /// Gets a value indicating whether fields without presence are written if they are zero or empty. Absent fields that have presence are not written.
    /// </summary>
    public bool WriteDefaults { get; init; }

    /// <summary>Gets a value indicating whether fields have their names of protobuf, such as <c>last_name</c>. Both names are always read.</summary>
    public bool UseFieldNames { get; init; }

    /// <summary>Gets a value indicating whether names of fields and enum values that no description has are skipped. Otherwise they are an error.</summary>
    public bool IgnoreUnknown { get; init; }

    /// <summary>Gets the messages that a <c>google.protobuf.Any</c> may hold; null if such a field is an error.</summary>
    public ContractSet? AnyTypes { get; init; }

    /// <summary>Gets the maximum size of a message: 1 byte to 64 MiB; 16 MiB by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of this range.</exception>
    public int MaxMessageBytes
    {
        get;
        init => field = Check(value, 64 << 20);
    } = 16 << 20;

    /// <summary>Gets the maximum size of JSON: 1 byte to 256 MiB; 64 MiB by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of this range.</exception>
    public int MaxJsonBytes
    {
        get;
        init => field = Check(value, 256 << 20);
    } = 64 << 20;

    private static int Check(int value, int max)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, max);
        return value;
    }
}
