namespace Mux.Walk.Tests.Samples;

// A pond whose fish knows the bird above it: the law of the tests says that only the bird may name the fish.
internal sealed class PlantedFish
{
    public int Fear() => new List<PlantedBird>().Count;
}

internal sealed class PlantedBird
{
    public PlantedFish? Prey { get; set; }

    public System.Net.IPAddress? Nest { get; set; }
}

/// <summary>
/// One object in two types: only with its subclass does it reach <see cref="PlantedHead"/> and come back.
/// </summary>
internal abstract class PlantedBody
{
    public abstract void Move();
}

internal sealed class PlantedSnake(PlantedHead head) : PlantedBody
{
    public override void Move() => head.Turn();
}

internal sealed class PlantedHead(PlantedBody? body)
{
    public void Turn() => body?.Move();
}

internal enum PlantedKind
{
    None,
}
