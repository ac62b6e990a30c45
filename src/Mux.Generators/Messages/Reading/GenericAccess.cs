using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Rejects, before .NET 9, messages of generic types whose members are not accessible: the runtime finds none of them there.</summary>
internal sealed class GenericAccess(Compilation compilation, Findings findings)
{
    private const string Remedy = "make it public or internal, or target net9.0 or later";
    private const string Constructor =
        "before .NET 9, a generic message needs a constructor that is public or internal, and no required members; change it, or target net9.0 or later";

    public void Check(INamedTypeSymbol type, MessageModel message)
    {
        if (message.Generic is null || compilation.FindsMembersOfGenerics()) return;
        for (int i = 0; i < message.Members.Count; i++)
        {
            var member = message.Members[i];
            bool isWritten = message.Construction != Construction.Parameters || !message.Parameters.Contains(i);
            if (member.Read is ReadAccess.Accessor or ReadAccess.Field) Report(type, member.Name, Remedy);
            else if (isWritten && member.Write is WriteAccess.Accessor or WriteAccess.Field)
                Report(type, member.Name, "give it a public or internal 'set', or target net9.0 or later");
            if (member.Condition is { } condition && (condition.NeedsAccessor || condition.SetNeedsAccessor)) Report(type, condition.Name, Remedy);
        }

        if (message.KeptFields is { } kept && (kept.Read is not ReadAccess.Direct || kept.Write is not WriteAccess.Direct)) Report(type, kept.Name, Remedy);
        foreach (var callback in message.Callbacks.Where(static callback => callback.NeedsAccessor)) Report(type, callback.Name, Remedy);
        if (message.Construction == Construction.Accessor || message.ConstructorNeedsAccessor)
            findings.Report(MuxDiagnostics.NoConstructor, type, type.ToDisplay(), Constructor);
    }

    private void Report(INamedTypeSymbol type, string member, string remedy)
    {
        var place = type.GetMembers(member).FirstOrDefault() ?? type;
        var problem = $"before .NET 9, members of generic types must be accessible; {remedy}";
        findings.Report(MuxDiagnostics.HiddenMember, place, $"{type.ToDisplay()}.{member}", problem);
    }
}
