using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Orders files so that each follows those that it imports. Imports that the set does not include are allowed, if no type of them is named.</summary>
internal static class FileOrder
{
    public static void Sort(List<ProtoFile> files)
    {
        var byName = files.ToDictionary(static file => file.Name, StringComparer.Ordinal);
        var states = new Dictionary<ProtoFile, int>(); // next import to visit; -1 when the file has its place
        var ordered = new List<ProtoFile>(files.Count);
        var open = new Stack<ProtoFile>();
        foreach (var first in files)
        {
            // Own stack: a peer chooses how long chains of imports are.
            if (!states.ContainsKey(first)) open.Push(first);
            while (open.Count > 0)
            {
                var file = open.Peek();
                states.TryGetValue(file, out int next);
                states[file] = next + 1;
                if (next < file.Imports.Count)
                {
                    if (!byName.TryGetValue(file.Imports[next].Name, out var import)) continue;
                    if (!states.TryGetValue(import, out int state)) open.Push(import);
                    else if (state >= 0) DescriptionFault.Throw($"the file {DescriptionFault.Quote(file.Name)}", "imports files that import it");
                }
                else
                {
                    open.Pop();
                    states[file] = -1;
                    ordered.Add(file);
                }
            }
        }

        files.Clear();
        files.AddRange(ordered);
    }
}
