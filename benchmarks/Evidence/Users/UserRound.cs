using Evidence.Programs;

namespace Evidence.Users;

/// <summary>What one round has measured.</summary>
/// <param name="Tool">10x200 of the tool, which has a channel per connection.</param>
/// <param name="OfValueTasks">The same of a user's program whose methods return value tasks.</param>
/// <param name="OfTasks">Likewise with tasks.</param>
/// <param name="OnOne">A user's program on one connection.</param>
/// <param name="OnOneOfYardstick">The same of the yardstick.</param>
/// <param name="Open">The open loop at half of <paramref name="Tool"/>.</param>
/// <param name="Many">1,000 connections.</param>
/// <param name="ManyOfYardstick">The same of the yardstick.</param>
/// <param name="Lone">One call at a time, all of them timed.</param>
/// <param name="LoneOfYardstick">The same of the yardstick.</param>
internal sealed record UserRound(
    BenchFigures Tool,
    UserFigures OfValueTasks,
    UserFigures OfTasks,
    UserFigures OnOne,
    YardstickFigures OnOneOfYardstick,
    BenchFigures Open,
    BenchFigures Many,
    YardstickFigures ManyOfYardstick,
    BenchFigures Lone,
    YardstickFigures LoneOfYardstick);
