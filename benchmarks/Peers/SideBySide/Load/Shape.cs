namespace SideBySide.Load;

/// <summary>What a run does.</summary>
/// <param name="Name">Of <c>--shapes</c>.</param>
/// <param name="Title">In tables.</param>
/// <param name="Kind">The method.</param>
/// <param name="Connections">TCP connections; HTTP/1.1 takes one for each call in flight instead.</param>
/// <param name="InFlight">Calls, or streams, in flight on each.</param>
internal sealed record Shape(string Name, string Title, ShapeKind Kind, int Connections, int InFlight)
{
    /// <summary>Items of a stream, after which the next one is opened.</summary>
    public const int StreamLength = 10_000;

    /// <summary>In the order of the tables.</summary>
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("10x200", "10 connections, 200 calls in flight on each", ShapeKind.Search, 10, 200),
        new("1x2000", "1 connection, 2,000 calls in flight", ShapeKind.Search, 1, 2_000),
        new("10x20", "10 connections, 20 calls in flight on each", ShapeKind.Search, 10, 20),
        new("10x1", "10 connections, 1 call in flight on each", ShapeKind.Search, 10, 1),
        new("1x1", "1 connection, 1 call in flight", ShapeKind.Search, 1, 1),
        new("tasks64", "64 tasks of the thread pool on 1 connection", ShapeKind.Search, 1, 64) { Yields = true },
        new("stream", "1 connection, 1 stream from the server; figures per item", ShapeKind.Read, 1, 1),
        new("echo", "1 connection, 4 echoes of 1 MiB in flight", ShapeKind.Echo, 1, 4),
        new("1000x2", "1,000 connections, 2 calls in flight on each", ShapeKind.Search, 1_000, 2),
    ];

    /// <summary>Whether a caller returns to the thread pool after each reply, as the code of an application that awaits something else in between.</summary>
    public bool Yields { get; private init; }

    public int Callers => Connections * InFlight;

    /// <exception cref="PeersException">There is none with this name.</exception>
    public static Shape Named(string name) => All.FirstOrDefault(shape => shape.Name == name)
        ?? throw new PeersException($"There is no shape '{name}': expected {string.Join(", ", All.Select(shape => shape.Name))}.");
}
