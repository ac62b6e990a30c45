using Mux.Description.Proto;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Importing;

/// <summary>Finds public files that name types of internal ones: C# does not allow it.</summary>
internal static class AccessCheck
{
    public static void Check(ProtoSet set, ImportFiles files, List<ImportFault> faults)
    {
        var hidden = new Dictionary<string, ProtoFile>(StringComparer.Ordinal);
        foreach (var file in set.Files.Where(file => files.Find(file.Name) is { IsInternal: true }))
        {
            foreach (var type in file.Messages.SelectMany(Around)) hidden[type.FullName] = file;
            foreach (var type in file.Enums) hidden[type.FullName] = file;
        }

        if (hidden.Count == 0) return;
        foreach (var file in set.Files)
        {
            if (files.Find(file.Name) is not { IsInternal: false } input || NamesIn(file).FirstOrDefault(hidden.ContainsKey) is not { } name) continue;
            var problem = $"it is public and names '{name}' of '{hidden[name].Name}', which is internal; give both items the same Access";
            faults.Add(new ImportFault(ImportDiagnostics.Name, input.Path, 0, 0, new([file.Name, problem])));
        }
    }

    private static IEnumerable<ProtoElement> Around(ProtoMessage message) =>
        new ProtoElement[] { message }.Concat(message.Enums).Concat(message.Messages.SelectMany(Around));

    private static IEnumerable<string> NamesIn(ProtoFile file) => file.Messages.SelectMany(NamesIn)
        .Concat(file.Services.SelectMany(static service => service.Methods).SelectMany(static method => new[] { method.RequestName, method.ResponseName }));

    private static IEnumerable<string> NamesIn(ProtoMessage message) =>
        message.Fields.Select(static field => field.TypeName).OfType<string>().Concat(message.Messages.SelectMany(NamesIn));
}
