using System.Runtime.CompilerServices;

namespace Mux.Generators;

/// <summary>
/// Keeps what a step has last made of a model, as long as the model lives. An edit leaves nearly all models as they are, the
/// same objects, and each step makes the rest of what it made before. Safe for concurrent use.
/// </summary>
internal sealed class LastMade<TModel, TMade>
    where TModel : class
    where TMade : class
{
    private readonly ConditionalWeakTable<TModel, StrongBox<TMade?>> _made = new();

    /// <summary>Gets it; null if there is none. The caller checks that what else it was made of is the same still.</summary>
    public TMade? Of(TModel model) => _made.TryGetValue(model, out var box) ? box.Value : null;

    public TMade Keep(TModel model, TMade made)
    {
        _made.GetOrCreateValue(model).Value = made;
        return made;
    }
}
