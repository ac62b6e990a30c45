namespace Mux.Serialization.Oracles.Values;

/// <summary>How one kind of value of .NET is written.</summary>
/// <param name="Zero">The value of a member that nothing was read into.</param>
/// <param name="Next">Makes a random one.</param>
/// <param name="ToTree">What we write.</param>
/// <param name="FromTree">The value that it says. Of what we do not write it may give any value, or throw.</param>
internal sealed record KnownForm(object Zero, Func<Random, object> Next, Func<object, object> ToTree, Func<object, object> FromTree)
{
    public static KnownForm Of<T>(Func<Random, T> next, Func<T, object> toTree, Func<object, T> fromTree)
        where T : struct
    {
        return new KnownForm(default(T), random => next(random), value => toTree((T)value), tree => fromTree(tree));
    }
}
