namespace Evidence.Building;

/// <summary>What something took, in milliseconds.</summary>
/// <param name="Wall">Of a clock on the wall.</param>
/// <param name="Cpu">Of all threads of the process.</param>
internal readonly record struct Cost(double Wall, double Cpu)
{
    public Cost Minus(Cost other) => new(Wall - other.Wall, Cpu - other.Cpu);
}
