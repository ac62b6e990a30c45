namespace Mux.Generators.Describing;

/// <summary>Names of the fields and oneofs of one message. They differ in more than casing and '_', because JSON names have neither in common.</summary>
internal sealed class FieldNames
{
    private readonly HashSet<string> _taken = new(StringComparer.Ordinal);

    public string Take(string member, int number)
    {
        var name = ProtoNames.ToField(member, number);
        if (TryTake(name)) return name;
        name = $"{name}_{number}";
        while (!TryTake(name)) name += "x";
        return name;
    }

    private bool TryTake(string name) => _taken.Add(name.Replace("_", string.Empty).ToLowerInvariant());
}
