namespace Mux.Description.Proto.Comparing;

/// <summary>Tells people how two parts differ, where other programs notice none of it.</summary>
internal sealed class Differences
{
    private readonly List<string> _texts = [];

    /// <summary>Gets a value indicating whether there is one.</summary>
    public bool Any => _texts.Count > 0;

    public Differences Name(string was, string now)
    {
        if (was != now) _texts.Add($"renamed from '{was}'");
        return this;
    }

    public Differences Deprecated(bool was, bool now)
    {
        if (was != now) _texts.Add(now ? "deprecated" : "no longer deprecated");
        return this;
    }

    public Differences Exact(bool was, bool now)
    {
        if (!was && now) _texts.Add("recorded by an earlier version, without the bits of integers and initial values");
        return this;
    }

    /// <param name="was">What is recorded, or true of it.</param>
    /// <param name="now">What the code has.</param>
    public Differences Became(string was, string now)
    {
        if (was != now) _texts.Add($"{was} became {now}");
        return this;
    }

    /// <param name="what">What differs, without its values: people know it by another name than protobuf does, or it is long.</param>
    /// <param name="isSame">False if it differs.</param>
    public Differences Other(string what, bool isSame)
    {
        if (!isSame) _texts.Add($"its {what} changed");
        return this;
    }

    public override string ToString() => string.Join(", ", _texts);
}
