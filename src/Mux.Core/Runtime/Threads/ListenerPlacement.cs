namespace Mux.Runtime;

/// <summary>
/// Names observers of calls that block a turn: listeners of spans and meters, and loggers. They run where the call ends, so there is no mode to choose.
/// </summary>
/// <param name="name">See <see cref="Placement.Name"/>.</param>
internal sealed class ListenerPlacement(string name) : Placement(name)
{
    private const string Listener = "A listener of spans or meters";

    /// <summary>Listeners of calls whose method is not named.</summary>
    public static ListenerPlacement OfAnyMethod { get; } = new(Listener);

    public override string Advice => "Return from it at once, and leave slow work to another thread.";

    /// <summary>Listeners of a method's calls.</summary>
    public static ListenerPlacement Of(string method) => new($"{Listener} (call of {method})");

    /// <summary>Loggers of a method's failed calls, which listeners may follow.</summary>
    public static ListenerPlacement OfFailures(string method) => new($"A logger, or a listener of spans or meters (failed call of {method})");
}
