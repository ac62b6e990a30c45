namespace Mux.Description.Proto.Comparing;

/// <summary>Makes the files that record the contracts of the code, with what the recorded ones say beyond that: comments, and what is reserved.</summary>
internal static class ContractUpdate
{
    private const string Header =
        RecordedFile.Mark + ": 'mux contract update' writes this file, and the build compares the code with it. Comments stay.";

    /// <param name="current">The contracts of the code. They are completed, and must not be used for anything else then.</param>
    /// <param name="recorded">The files so far; null if there are none.</param>
    /// <param name="comparison">The comparison of both; null if there are no files so far.</param>
    /// <param name="reason">Why its findings are accepted; null if there are none.</param>
    /// <returns>The files to write; others that record contracts are to be deleted.</returns>
    public static List<ProtoFile> Merge(ProtoSet current, RecordedContracts? recorded, ContractComparison? comparison, string? reason)
    {
        var files = current.Files.Where(static file => !file.Name.StartsWith("google/", StringComparison.Ordinal)).ToList();
        foreach (var file in files.Where(static file => !IsShared(file.Name))) file.Comment = Header;
        if (recorded is null || comparison is null) return files;
        foreach (var (was, now) in comparison.Messages) Complete(was, now);
        foreach (var (was, now) in comparison.Enums) Complete(was, now);
        var services = comparison.RecordedServices.ToDictionary(static service => service.FullName, StringComparer.Ordinal);
        foreach (var service in current.Services)
        {
            if (!services.TryGetValue(service.FullName, out var was)) continue;
            service.Comment = was.Comment;
            foreach (var method in service.Methods) method.Comment = was.Methods.Find(other => other.Name == method.Name)?.Comment;
        }

        foreach (var file in files.Where(static file => !IsShared(file.Name)))
        {
            if (recorded.Set.Files.Find(other => other.Name == file.Name) is not { } was) continue;
            if (was.Comment is { } comment)
                file.Comment = comment.Contains(RecordedFile.Mark, StringComparison.Ordinal) ? comment : $"{Header}\n{comment}";
            file.CSharpNamespace = was.CSharpNamespace;
        }

        if (reason is not null) Note(files, recorded, comparison, reason);
        return files;
    }

    /// <summary>True for the files with messages of no contract.</summary>
    public static bool IsShared(string file) => file == "bcl.proto" || file.StartsWith("mux/", StringComparison.Ordinal);

    private static void Note(List<ProtoFile> files, RecordedContracts recorded, ContractComparison comparison, string reason)
    {
        var own = files.Where(static file => !IsShared(file.Name)).ToList();
        var accepted = comparison.Findings.Where(static finding => finding.Rule != ContractRule.Behind)
            .GroupBy(finding => finding.RecordedType is { } type ? recorded.FileOf(type)?.Name : null, StringComparer.Ordinal);
        foreach (var group in accepted)
        {
            if ((own.Find(file => file.Name == group.Key) ?? own.FirstOrDefault()) is not { } file) continue;
            var changes = group.Select(static finding => $"{finding.Id} {finding.Element}").Distinct(StringComparer.Ordinal);
            file.Comment += $"\nAccepted: {string.Join(" ", reason.Split('\r', '\n'))} ({string.Join(", ", changes)})";
        }
    }

    private static void Complete(ProtoMessage was, ProtoMessage now)
    {
        now.Comment ??= was.Comment;
        foreach (var field in now.Fields) field.Comment ??= was.Fields.Find(other => other.Number == field.Number)?.Comment;
        var used = new HashSet<int>(now.Fields.Select(static field => field.Number));
        var names = new HashSet<string>(now.Fields.Select(static field => field.Name), StringComparer.Ordinal);
        Reserve(now.Reserved, was.Reserved.Concat(was.Fields.Select(static field => new ProtoRange(field.Number, field.Number))), used);
        Reserve(now.ReservedNames, was.ReservedNames.Concat(GoneNames(was, used)), names);
    }

    private static void Complete(ProtoEnum was, ProtoEnum now)
    {
        now.Comment ??= was.Comment;
        foreach (var value in now.Values) value.Comment ??= was.Values.Find(other => other.Name == value.Name)?.Comment;
        var used = new HashSet<int>(now.Values.Select(static value => value.Number));
        var names = new HashSet<string>(now.Values.Select(static value => value.Name), StringComparer.Ordinal);
        Reserve(now.Reserved, was.Reserved.Concat(was.Values.Select(static value => new ProtoRange(value.Number, value.Number))), used);
        Reserve(now.ReservedNames, was.ReservedNames.Concat(was.Values.Where(value => !used.Contains(value.Number)).Select(static value => value.Name)), names);
    }

    private static IEnumerable<string> GoneNames(ProtoMessage was, HashSet<int> used) =>
        was.Fields.Where(field => !used.Contains(field.Number)).SelectMany(JsonNameSet.ReservableOf);

    private static void Reserve(List<string> reserved, IEnumerable<string> more, HashSet<string> used)
    {
        foreach (var name in more)
        {
            if (!used.Contains(name) && !reserved.Contains(name)) reserved.Add(name);
        }
    }

    // Ranges in order that do not touch each other. A number in use was accepted to be used; those around it stay reserved.
    private static void Reserve(List<ProtoRange> reserved, IEnumerable<ProtoRange> more, HashSet<int> used)
    {
        var all = reserved.Concat(more.SelectMany(range => Without(range, used))).OrderBy(static range => range.First).ToList();
        reserved.Clear();
        foreach (var range in all)
        {
            if (reserved.Count > 0 && reserved[reserved.Count - 1] is var last && (long)range.First <= (long)last.Last + 1)
                reserved[reserved.Count - 1] = new ProtoRange(last.First, Math.Max(last.Last, range.Last));
            else reserved.Add(range);
        }
    }

    private static IEnumerable<ProtoRange> Without(ProtoRange range, HashSet<int> used)
    {
        long first = range.First;
        foreach (int number in used.Where(number => range.First <= number && number <= range.Last).OrderBy(static number => number))
        {
            if (first < number) yield return new ProtoRange((int)first, number - 1);
            first = (long)number + 1;
        }

        if (first <= range.Last) yield return new ProtoRange((int)first, range.Last);
    }
}
