namespace Mux.Walk.Tests.Law;

/// <summary>
/// Where a type is: its source file says it, or its namespace if it has no file. Folders of Mux.Core that are no wing
/// themselves belong to the room that this table names.
/// </summary>
internal static class WingMap
{
    public const string Root = "Root";

    private static readonly string[] s_wings =
        ["Runtime", "Protocol", "Engine", "Calls", "Client", "Server", "Telemetry", "Push"];

    private static readonly Dictionary<string, string> s_rooms = new()
    {
        ["Buffers"] = "Runtime/Memory",
        ["Timing"] = "Runtime/Time",
        ["Execution"] = "Runtime/Threads",
        ["Logging"] = "Runtime/Logging",
        ["Transports"] = "Runtime/Links",
        ["Addresses"] = "Runtime/Links/Addresses",
        ["Wire"] = "Protocol/Wire",
        ["Framing"] = "Protocol/Framing",
        ["Lanes"] = "Protocol/Lanes",
        ["Sessions"] = "Engine/Sessions",
        ["Connections"] = "Engine/Connections",
        ["Overload"] = "Engine/Overload",
        ["Ordering"] = "Engine/Ordering",
        ["Calls"] = "Calls/Outgoing",
        ["Items"] = "Calls/Items",
        ["Services"] = "Calls/Services",
        ["Filters"] = "Calls/Filters",
        ["Peers"] = "Calls/Peers",
        ["Contracts"] = "Calls/Contracts",
        ["Resilience"] = "Calls/Resilience",
        ["Endpoints"] = "Client/Endpoints",
        ["Balancing"] = "Client/Balancing",
        ["Discovery"] = "Client/Discovery",
        ["Growth"] = "Client/Growth",
        ["Serving"] = "Server/Serving",
        ["Identity"] = "Server/Identity",
        ["Forwarding"] = "Server/Forwarding",
        ["Health"] = "Server/Health",
        ["Diagnostics"] = "Telemetry",
        ["Topics"] = "Push/Topics",
        ["Groups"] = "Push/Groups",
        ["Backplanes"] = "Push/Backplanes",
    };

    /// <summary>The place of a source file: <c>src/PROJECT/FOLDERS/FILE</c>.</summary>
    public static Place OfFile(string file)
    {
        var parts = file.Split('/');
        return Of(parts[1], parts[2..^1]);
    }

    /// <summary>The place of a type without a file.</summary>
    public static Place OfNamespace(string assembly, string space)
    {
        var parts = space.Split('.');
        bool isOfCore = assembly == Place.Core && parts[0] == "Mux";
        return Of(assembly, isOfCore ? parts[1..] : []);
    }

    private static Place Of(string project, string[] folders)
    {
        if (project != Place.Core) return new Place(project, "", string.Join('/', folders));
        if (folders.Length == 0) return new Place(project, Root, "");

        // "Calls" alone is a room, and with a room below it a wing.
        bool isWing = s_wings.Contains(folders[0]) && (folders.Length > 1 || !s_rooms.ContainsKey(folders[0]));
        if (!isWing)
        {
            // A folder that the table does not know is in no wing, which the law does not allow.
            var room = s_rooms.GetValueOrDefault(folders[0]);
            if (room is null) return new Place(project, "", string.Join('/', folders));

            folders = [.. room.Split('/'), .. folders[1..].Where(folder => folder != "Links")];
        }

        return new Place(project, folders[0], string.Join('/', folders[1..]));
    }
}
