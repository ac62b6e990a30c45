using System.Globalization;
using Evidence;
using Evidence.Awaiting;
using Evidence.Blocking;
using Evidence.Building;
using Evidence.Bursts;
using Evidence.Callers;
using Evidence.Codecs;
using Evidence.Cold;
using Evidence.Connections;
using Evidence.Delays;
using Evidence.Fleets;
using Evidence.Floods;
using Evidence.Gateway;
using Evidence.Groups;
using Evidence.HalfOpen;
using Evidence.Json;
using Evidence.Links;
using Evidence.Memory;
using Evidence.Methods;
using Evidence.Ordering;
using Evidence.Outages;
using Evidence.Overload;
using Evidence.Peering;
using Evidence.Programs;
using Evidence.Proxies;
using Evidence.Ratios;
using Evidence.Recovery;
using Evidence.Restarts;
using Evidence.Serving;
using Evidence.Sharing;
using Evidence.Short;
using Evidence.Stalls;
using Evidence.Storms;
using Evidence.Topics;
using Evidence.Turns;
using Evidence.Users;
using Evidence.Zones;

try
{
    string[] rest = args.Length > 1 ? args[1..] : [];
    switch (args.FirstOrDefault())
    {
        case "ratios":
            await RatioTable.RunAsync(new CommandLine(rest, "--pairs", "--seconds", "--warmup", "--results"));
            return 0;
        case "streams":
            StreamTable.Run(new CommandLine(rest, "--rounds", "--seconds", "--warmup"));
            return 0;
        case "stream-memory":
            StreamMemory.Run(new CommandLine(rest, "--gibibytes"));
            return 0;
        case "links":
            await LinkTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup"));
            return 0;
        case "gate":
            return Gate.Run(new CommandLine(rest, "--pairs"));
        case "idle":
            await IdleMemory.RunAsync(new CommandLine(rest, "--engine", "--connections"));
            return 0;
        case "beside":
            await BusyBesideIdle.RunAsync(new CommandLine(rest, "--engine", "--connections", "--pairs", "--seconds", "--warmup"));
            return 0;
        case "callers":
            await CallerTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds"));
            return 0;
        case "floods":
            return await FloodTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--only", "--profile"));
        case "memory":
            return await MemoryTable.RunAsync(new CommandLine(rest, "--container"));
        case "deaf":
            return await DeafTable.RunAsync(new CommandLine(rest, "--container"));
        case "sleepers":
            return await SleeperTable.RunAsync(new CommandLine(rest, "--rounds", "--sleepers", "--beside"));
        case "recovery":
            return await RecoveryTable.RunAsync(new CommandLine(rest, "--rounds", "--beside"));
        case "overload":
            return await OverloadTable.RunAsync(new CommandLine(rest, "--load", "--seconds"));
        case "restarts":
            return await RestartTable.RunAsync(new CommandLine(rest, "--restarts", "--kills", "--beside"));
        case "outages":
            return await OutageTable.RunAsync(new CommandLine(rest, "--outages", "--away", "--beside", "--tolerance", "--source"));
        case "dead-endpoints":
            return await DeadEndpointTable.RunAsync(new CommandLine(rest, "--dead", "--seconds", "--beside"));
        case "zones":
            return await ZoneTable.RunAsync(new CommandLine(rest, "--seconds", "--beside"));
        case "stalled-server":
            return await StalledServerTable.RunAsync(new CommandLine(rest, "--rounds", "--rate", "--seconds", "--beside"));
        case "cold-callers":
            return await ColdTable.RunAsync(new CommandLine(rest, "--rounds", "--clients"));
        case "retry-storm":
            return await RetryStormTable.RunAsync(new CommandLine(rest, "--kills", "--beside"));
        case "half-open":
            return await HalfOpenTable.RunAsync(new CommandLine(rest, "--rounds"));
        case "proxies":
            return await ProxyTable.RunAsync(new CommandLine(rest, "--restarts", "--beside"));
        case "sharing":
            return await SharingTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
        case "short-mode":
            return await ShortModeTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
        case "peers":
            return await PeerTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
        case "order":
            return await OrderTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
        case "one-way-order":
            return await ToldTable.RunAsync(new CommandLine(rest, "--calls", "--beside"));
        case "gateway":
            return await GatewayTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup"));
        case "delayed-network":
            return await DelayTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
        case "awaiting":
            await AwaitingTable.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--only", "--callers", "--beside"));
            return 0;
        case "turn":
            await TurnTable.RunAsync(new CommandLine(rest, "--rounds", "--in-flight", "--methods", "--warmup"));
            return 0;
        case "methods":
            MethodTable.Run(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
            return 0;
        case "users":
            UserTable.Run(new CommandLine(rest, "--rounds", "--seconds", "--warmup", "--beside"));
            return 0;
        case "json":
            JsonTable.Run(new CommandLine(rest, "--rounds"));
            return 0;
        case "mutations":
            MutationTable.Run(new CommandLine(rest, "--count", "--seed"));
            return 0;
        case "generator":
            GeneratorTable.Run(new CommandLine(rest, "--contracts", "--rounds", "--warm"));
            return 0;
        case "scale":
            ScaleTable.Run(new CommandLine(rest, "--contracts", "--rounds", "--edits", "--to"));
            return 0;

        case "topics":
            return await TopicTable.RunAsync(new CommandLine(rest, "--pairs", "--connections", "--seconds", "--beside"));
        case "topic-age":
            return await TopicAge.RunAsync(new CommandLine(rest, "--rounds", "--seconds", "--beside"));
        case "bursts":
            return await BurstTable.RunAsync(new CommandLine(rest, "--rounds", "--beside"));
        case "groups":
            return await GroupTable.RunAsync(new CommandLine(rest, "--rounds", "--connections", "--seconds", "--beside"));

        // The other processes of the above.
        case "serve":
            await EvidenceServer.ServeAsync(new CommandLine(rest, "--engine"));
            return 0;
        case "serve-sleepers":
            SleeperServer.Serve(rest.FirstOrDefault());
            return 0;
        case "serve-peers" when rest is [var peer, var connections]:
            await PeerClient.RunAsync(peer, int.Parse(connections, CultureInfo.InvariantCulture));
            return 0;
        case "serve-order":
            OrderServer.Serve();
            return 0;
        case "serve-told":
            await ToldServer.ServeAsync(new CommandLine(rest, "--max-age"));
            return 0;
        case "serve-awaiting" when rest is [var echo]:
            AwaiterServer.Serve(int.Parse(echo, CultureInfo.InvariantCulture));
            return 0;
        case "serve-methods" when rest is [var contracts]:
            await MethodServer.ServeAsync(contracts);
            return 0;
        case "call-methods" when rest is [var contracts, var server, var count, var warmup, var seconds]:
            await MethodClient.RunAsync(contracts, server, NumberOf(count), SecondsOf(warmup), SecondsOf(seconds));
            return 0;
        case "call-as-user" when rest is [var server, var connections, var inFlight, var returns, var warmup, var seconds]:
            await UserProgram.CallAsync(
                server, new Shape(NumberOf(connections), NumberOf(inFlight)), Enum.Parse<ReturnKind>(returns), new Timing(SecondsOf(seconds).TotalSeconds, SecondsOf(warmup).TotalSeconds));
            return 0;
        case "serve-gateway" when rest is [var target, .. var engine]:
            await GatewayServer.ServeAsync(target, new CommandLine(engine, "--engine"));
            return 0;
        case "serve-echo":
            EchoSockets.Serve();
            return 0;
        case "serve-burner" when rest is [var maxQueueTime, var rounds]:
            BurnerServer.Serve(int.Parse(maxQueueTime, CultureInfo.InvariantCulture), int.Parse(rounds, CultureInfo.InvariantCulture));
            return 0;
        case "serve-ledger" when rest is [var port, var log]:
            await LedgerServer.ServeAsync(port, log);
            return 0;
        case "serve-fleet":
            await FleetProgram.ServeAsync(new CommandLine(rest, FleetProgram.Options));
            return 0;
        case "serve-feed" when rest is [var connections]:
            FeedServer.Serve(NumberOf(connections));
            return 0;
        case "receive-feed" when rest is [var port, var readers, "mux", var manner, var length]:
            FeedReceivers.Run(NumberOf(port), NumberOf(readers), manner, NumberOf(length));
            return 0;
        case "serve-group" when rest is [var connections]:
            GroupServer.Serve(NumberOf(connections));
            return 0;
        case "serve-presence" when rest is [var port]:
            PresenceServer.Serve(port);
            return 0;
        case "burn":
            NicedLoad.Burn();
            return 0;
        case "serve-link" when rest is ["--link", var link]:
            await LinkServer.ServeAsync(Enum.Parse<LinkKind>(link));
            return 0;
        case "flood-peer" when rest is [var kind, var target]:
            FloodPeer.Run(kind, target);
            return 0;
        case "flood-places" when rest is [var count, var target]:
            PlacePeer.Run(NumberOf(count), target);
            return 0;
        case "serve-door":
            await DoorServer.ServeAsync();
            return 0;
        case "first-call" when rest is [var address]:
            await FirstCall.MakeAsync(address);
            return 0;
    }
}
catch (Exception error) when (error is EvidenceException or MuxException)
{
    Console.Error.WriteLine(error.Message);
    return 1;
}

Console.Error.WriteLine("""
    Usage: bash benchmarks/ratios [--pairs 10] [--seconds 4] [--warmup 3] [--results FOLDER]
           dotnet run -c Release --project benchmarks/Evidence -- COMMAND [OPTIONS]
      ratios    the goals: Mux and the yardstick in turns, and their ratios
                  --pairs 10  --seconds 4  --warmup 3  --results FOLDER (keeps a row per workload in summary.csv)
      streams   the goals of streams and large messages, with the yardstick and 10x200 in the same turns
                  --rounds 5  --seconds 3  --warmup 2
      stream-memory  what both processes hold while one stream echoes so much
                  --gibibytes 10
      links     what TLS, streams, Kestrel and WebSockets make of 10x200 and of large messages, beside what they are put upon
                  --rounds 7  --seconds 2  --warmup 2
      gate      what a pipeline holds: bytes and sends per call, and the ratio at 10x200; exit code 1 if it does not hold
                  --pairs 5
      idle      memory of the server per idle connection, in three rounds
                  --engine epoll|portable  --connections 10000
      beside    calls per second of 10x200 with and without idle connections at the same server
                  --engine epoll|portable  --connections 5000  --pairs 10  --seconds 4  --warmup 3
      callers   1, 8 and 64 callers on the thread pool over one connection, on both engines
                  --rounds 5  --seconds 3
      floods    a client beside hostile peers: its rate, when they are cut off, how the server grows; exit code 1 if a goal is missed
                  --rounds 5  --seconds 2  --warmup 1  --only KIND (or places)  --profile edge|internal
      sleepers  how soon so many handlers sleep, and how long calls take at their server and from it to another; exit code 1 if a goal is missed
                  --rounds 5  --sleepers 1000  --beside 0 (niced processes that compute meanwhile)
      recovery  how long callers wait for a server that is back, by how long it was away; exit code 1 if one of them waits longer than the goal
                  --rounds 5  --beside 0 (niced processes that compute meanwhile)
      restarts  what the callers of three servers notice while these are stopped, or killed, one after the other; exit code 1 if a call fails by a stop, or a verdict is wrong
                  --restarts 100  --kills 100  --beside 0 (niced processes that compute meanwhile)
      dead-endpoints  a list of five servers and of many that are gone: processor, bytes and calls; exit code 1 if a goal is missed
                  --dead 1000  --seconds 10  --beside 0
      outages   three servers that are all away for a moment, and one that is for longer: their shares 2 s after their return; exit code 1 if one is uneven
                  --outages 100  --away 80 (seconds that one is away at most, of 1, 2, 3, 5, 10, 30, 80, 200, 600)  --beside 0  --tolerance 12 (percent of all calls, to both sides)
                  --source list|etcd|dns (etcd: a real one, where the servers register; exit code 3 if this machine has none. dns: answers from a table, which keeps the one or drops it)
      zones     more callers than the servers of their zone have handlers for: how much of what these could serve they get; exit code 1 if a goal is missed
                  --seconds 5  --beside 0 (niced processes that compute meanwhile)
      stalled-server  what calls to three servers take while a fourth is frozen, and the shares of healthy ones; exit code 1 if a goal is missed
                  --rounds 5  --rate 2000 (calls/s)  --seconds 2  --beside 0 (niced processes that compute meanwhile)
      cold-callers  dials of 1,000 callers of a cold channel, and when 1,000 clients are served after a restart; exit code 1 if a goal is missed
                  --rounds 5  --clients 1000
      retry-storm  what retries add to the load of servers that fail or die, also over services that call each other; exit code 1 if a goal is missed
                  --kills 6  --beside 0 (niced processes that compute meanwhile)
      half-open  how soon both sides notice a cable that is pulled, in a network namespace; exit code 1 if a goal is missed, 3 if this machine has none
                  --rounds 5
      proxies   HAProxy and nginx between client and servers: silence, drains, restarts, ages; exit code 1 if a goal is missed, 3 if none is installed
                  --restarts 10  --beside 0 (niced processes that compute meanwhile)
      sharing   100 and 500 callers of one connection, and 32 on one and on one each; exit code 1 if a goal is missed
                  --rounds 10  --seconds 2  --warmup 2  --beside 0 (niced processes that compute meanwhile)
      short-mode  callers on shared connections, and with a connection for each call; exit code 1 if a goal is missed
                  --rounds 7  --seconds 2  --warmup 1  --beside 0 (niced processes that compute meanwhile)
      order     calls of 10,000 keys one after the other, and calls in batches; exit code 1 if a goal is missed
                  --rounds 7  --seconds 2  --warmup 1  --beside 0 (niced processes that compute meanwhile)
      one-way-order  one-way calls of eight keys on connections that come and go; exit code 1 if one runs before an earlier one of its key
                  --calls 100000 (four times as many in the last row)  --beside 0 (niced processes that compute meanwhile)
      delayed-network  calls per second of one connection over a network of 5 ms, by how many are in flight; exit code 1 if a goal is missed
                  --rounds 5  --seconds 2  --warmup 1  --beside 0 (niced processes that compute meanwhile)
      memory    what peers make a server hold, and what it has 30 s after they left; exit code 1 if that is more than the goal
                  --container 512 (MiB, of the second half)
      deaf      a client of a small server, with peers that do not read their replies: how many of its calls fail; exit code 1 if one does
                  --container 64 (MiB)
      gateway   processor time of a gateway and of a server for a call, in the same run; exit code 1 if a goal is missed
                  --rounds 5  --seconds 2  --warmup 1
      overload  calls served in time at so many times what the server can do, with and without MaxQueueTime; exit code 1 if a goal is missed
                  --load 3  --seconds 8
      awaiting  what a call costs its server if the handler awaits something
                  --rounds 5  --seconds 2  --only Nothing|Yield|RoundTrip  --callers 1, 8 and 64  --beside 0 (niced processes that compute meanwhile)
      turn      what a call costs in the turns of both sides, in memory and on one thread
                  --rounds 60  --in-flight 200  --warmup 3  --methods 0 (so many of the 1,000 methods instead of one)
      methods   what 1,000 methods cost: their first calls, and calls of 100 and of 1,000 methods in turn, compared with one
                  --rounds 5  --seconds 2  --warmup 5  --beside 0 (niced processes that compute meanwhile)
      users     programs of users compared with the tool, an open loop, 1,000 connections, a lone call
                  --rounds 5  --seconds 2  --warmup 2  --beside 0 (niced processes that compute meanwhile)
      json      messages turned into JSON and back by their description
                  --rounds 12
      mutations mutated messages of every shape, read by the generated codecs and by Google's library
                  --count 10000000  --seed 1
      topics    what it costs to publish to many subscribers, and how soon the last one has an item; exit code 1 if a goal is missed
                  --pairs 21  --connections 1000  --seconds 0.5  --beside 0 (niced processes that compute meanwhile)
      topic-age  how old the items are that a slow subscriber takes, and what one gets of a burst; exit code 1 if a goal is missed
                  --rounds 3  --seconds 4  --beside 0 (niced processes that compute meanwhile)
      bursts    calls with large messages that are all made at once: how many fail, and what both sides hold; exit code 1 if one fails
                  --rounds 3  --beside 0 (niced processes that compute meanwhile)
      groups    what it costs to call a group of many members, and how soon the last one has the call; exit code 1 if a goal is missed
                  --rounds 5  --connections 1000  --seconds 2  --beside 0 (niced processes that compute meanwhile)
      generator what the generator adds to the build of so many contracts
                  --contracts 200  --rounds 15
      scale     the build of a large project by csc, with and without the generator, and its edits in an editor
                  --contracts 200 (with ten methods and fifteen messages each)  --rounds 1 (of csc; 0 for edits alone)  --edits 15  --to FOLDER (for the contracts and what is generated for them)
    """);
return 2;

static int NumberOf(string text) => int.Parse(text, CultureInfo.InvariantCulture);

static TimeSpan SecondsOf(string text) => TimeSpan.FromSeconds(double.Parse(text, CultureInfo.InvariantCulture));
