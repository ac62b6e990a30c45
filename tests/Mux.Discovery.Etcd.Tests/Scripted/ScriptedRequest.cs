using System.Text.Json;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>A request that a scripted etcd got.</summary>
internal sealed record ScriptedRequest(string Path, JsonElement Body, IReadOnlyDictionary<string, string> Headers);
