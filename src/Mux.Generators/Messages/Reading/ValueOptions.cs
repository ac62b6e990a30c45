namespace Mux.Generators.Messages.Reading;

/// <summary>What the place of a value says about its bytes.</summary>
/// <param name="Format">As the member declares it.</param>
/// <param name="Level">What is in force there.</param>
/// <param name="IsItem">Whether the value is an item of a list, or stands in an entry of a map.</param>
internal readonly record struct ValueOptions(DataFormat Format, CompatibilityLevel Level, bool IsItem = false)
{
    private readonly CompatibilityLevel _tupleLevel;

    /// <summary>What is in force in tuples that have no level of their own: the same, unless it was set.</summary>
    public CompatibilityLevel TupleLevel
    {
        get => _tupleLevel == CompatibilityLevel.NotSpecified ? Level : _tupleLevel;
        init => _tupleLevel = value;
    }

    /// <summary>The level that counts: at level 200 a format can ask for what level 240 has.</summary>
    public CompatibilityLevel EffectiveLevel
    {
        get
        {
            if (Level > CompatibilityLevel.Level200) return Level;
            return Format == DataFormat.WellKnown ? CompatibilityLevel.Level240 : CompatibilityLevel.Level200;
        }
    }

    /// <summary>Whether numbers of a list are one block.</summary>
    public bool IsPacked { get; init; }

    /// <summary>Whether what is read replaces the items that are there.</summary>
    public bool Overwrites { get; init; }

    /// <summary>About entries of maps.</summary>
    public MapOptions Map { get; init; }

    /// <summary>About null.</summary>
    public NullOptions Nulls { get; init; }

    /// <summary>The same for a value inside, such as the key of an entry: what concerns the whole does not concern it.</summary>
    public ValueOptions Inside(DataFormat format) =>
        this with { Format = format, IsItem = true, IsPacked = false, Overwrites = false, Map = default, Nulls = default };
}
