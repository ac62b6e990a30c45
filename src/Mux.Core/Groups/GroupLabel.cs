namespace Mux.Groups;

/// <summary>Names a group for people.</summary>
/// <param name="kind">The name of its kind.</param>
/// <param name="key">Its key, whose text is made when it is needed: that is user code.</param>
internal sealed class GroupLabel(string kind, object? key)
{
    public override string ToString()
    {
        if (key is null or "") return kind;
        try
        {
            return $"{kind}[{key}]";
        }
        catch (Exception)
        {
            return $"{kind}[a key without a text]";
        }
    }
}
