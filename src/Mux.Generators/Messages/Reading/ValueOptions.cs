namespace Mux.Generators.Messages.Reading;

/// <summary>Options at the place of a value that affect its bytes.</summary>
/// <param name="Format">Format that the member declares.</param>
/// <param name="Level">Level in force at the place.</param>
/// <param name="IsItem">True if the value is an item of a list, or is in an entry of a map.</param>
internal readonly record struct ValueOptions(DataFormat Format, CompatibilityLevel Level, bool IsItem = false)
{
    private readonly CompatibilityLevel _tupleLevel;

    /// <summary>Level in force in tuples without their own level: the same, unless it was set.</summary>
    public CompatibilityLevel TupleLevel
    {
        get => _tupleLevel == CompatibilityLevel.NotSpecified ? Level : _tupleLevel;
        init => _tupleLevel = value;
    }

    /// <summary>Effective level: at level 200, a format can select the encoding of level 240.</summary>
    public CompatibilityLevel EffectiveLevel
    {
        get
        {
            if (Level > CompatibilityLevel.Level200) return Level;
            return Format == DataFormat.WellKnown ? CompatibilityLevel.Level240 : CompatibilityLevel.Level200;
        }
    }

    /// <summary>True in an imported message.</summary>
    public bool FollowsProtobuf { get; init; }

    /// <summary>Part of a C# name for both levels; empty for level 200.</summary>
    public string LevelsName => (Level, TupleLevel) switch
    {
        ( <= CompatibilityLevel.Level200, <= CompatibilityLevel.Level200) => string.Empty,
        var (own, tuple) when own == tuple => $"_Level{(int)own}",
        var (own, tuple) => $"_Level{(int)own}_{(int)tuple}",
    };

    /// <summary>True if numbers of a list are one block.</summary>
    public bool IsPacked { get; init; }

    /// <summary>True if the items read replace the existing ones.</summary>
    public bool Overwrites { get; init; }

    /// <summary>Options of the entries of maps.</summary>
    public MapOptions Map { get; init; }

    /// <summary>Options about null.</summary>
    public NullOptions Nulls { get; init; }

    /// <summary>Gets the options for a nested value, such as the key of an entry, without those that concern the whole.</summary>
    public ValueOptions Inside(DataFormat format) =>
        this with { Format = format, IsItem = true, IsPacked = false, Overwrites = false, Map = default, Nulls = default };
}
