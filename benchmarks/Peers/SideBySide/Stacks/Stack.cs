using System.Reflection;
using SideBySide.Load;
using SideBySide.Stacks.CodeFirst;
using SideBySide.Stacks.GrpcNet;
using SideBySide.Stacks.Hubs;
using SideBySide.Stacks.Json;
using SideBySide.Stacks.OfMux;
using SideBySide.Stacks.Rpc;

namespace SideBySide.Stacks;

/// <summary>A way to make calls: its server and its client.</summary>
internal abstract class Stack
{
    /// <summary>In the order of the tables.</summary>
    public static IReadOnlyList<Stack> All { get; } =
    [
        new MuxStack(), new GrpcStack(isTuned: true), new GrpcStack(isTuned: false), new CodeFirstStack(),
        new HubStack(isMessagePack: true), new HubStack(isMessagePack: false), new JsonRpcStack(), new HttpStack(),
    ];

    /// <summary>Of <c>--only</c>.</summary>
    public abstract string Name { get; }

    /// <summary>In tables and charts.</summary>
    public abstract string Title { get; }

    /// <summary>Those whose versions make the figures.</summary>
    public abstract IReadOnlyList<Assembly> Assemblies { get; }

    /// <summary>What is set and not left as it is, in a line. The reasons are in README.md.</summary>
    public abstract string Settings { get; }

    /// <summary>Whether its processes run as templates have them, and not as for load.</summary>
    public virtual bool IsStock => false;

    /// <exception cref="PeersException">There is none with this name.</exception>
    public static Stack Named(string name) => All.FirstOrDefault(stack => stack.Name == name)
        ?? throw new PeersException($"There is no stack '{name}': expected {string.Join(", ", All.Select(stack => stack.Name))}.");

    /// <summary>Starts a server on a free port of 127.0.0.1.</summary>
    public abstract Task<RunningServer> StartAsync();

    /// <summary>Makes the connections of a shape; those that are made by the first call are not yet.</summary>
    public abstract Task<IStackClient> ConnectAsync(int port, Shape shape);
}
